import metadata from 'metadata:/api/company/part/'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { ReferenceField } from '../../kit/form/reference-field.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { post } from '../../kit/service/api.ts'

type Properties = {
  /** Given values: the part, or the supplier. */
  part?: number
  supplier?: number
  /** The suggested part. */
  suggestedPart?: number | undefined
  /** Called with the key of the new part; by default its page opens. */
  onCreated?: (pk: number) => void
  onClose: () => void
}

const MORE_FIELDS = ['SKU', 'pack_quantity', 'packaging', 'description', 'link', 'manufacturer_part']

const openSupplierPart = (pk: number): void => navigate(`/supplier-part/${pk}/`)

/** The form for a new supplier part. */
export function NewSupplierPart({ part, supplier, suggestedPart, onCreated = openSupplierPart, onClose }: Properties) {
  return (
    <FormDialog<{ pk: number }>
      title={t('companies.new-supplier-part')}
      metadata={metadata}
      start={{ part: part ?? suggestedPart ?? null, supplier: supplier ?? null, active: true }}
      names={[...(part === undefined ? ['part'] : []), ...(supplier === undefined ? ['supplier'] : []), ...MORE_FIELDS]}
      without={['part', 'supplier', 'barcode_hash']}
      customFields={(form) => ({
        part: () => <ReferenceField form={form} name="part" {...PURCHASEABLE_PARTS} help={null} />,
        manufacturer_part: () => (
          <ReferenceField
            form={form}
            name="manufacturer_part"
            {...getManufacturerPartSource(form.values.value.part as number | null)}
            help={null}
          />
        ),
      })}
      send={async (values, key) => (await post<{ pk: number }>(metadata.path, values, key)).body}
      onDone={({ pk }) => onCreated(pk)}
      onClose={onClose}
    />
  )
}

/** Parts that can be bought. */
export const PURCHASEABLE_PARTS = { ...getSource('part'), query: { purchaseable: true, active: true } }

/** The manufacturer parts of a part. */
const getManufacturerPartSource = (part: number | null) => {
  const source = getSource('manufacturerPart')
  return { ...source, query: { ...source.query, part: part ?? undefined } }
}
