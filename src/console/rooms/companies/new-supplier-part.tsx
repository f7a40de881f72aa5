import facts from 'facts:/api/company/part/'
import { post } from '../../kit/api.ts'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { t } from '../../kit/language.ts'
import { Pick } from '../../kit/pick.tsx'
import { sourceOfKind } from '../../kit/reference.ts'
import { navigate } from '../../kit/router.ts'

/** What is known already: the part, or who sells it. */
type Properties = { part?: number; supplier?: number; onClose: () => void }

const MORE = ['SKU', 'pack_quantity', 'packaging', 'description', 'link', 'manufacturer_part']

/** Asks what a supplier sells a part as, and goes to its page. */
export function NewSupplierPart({ part, supplier, onClose }: Properties) {
  return (
    <FormDialog<{ pk: number }>
      title={t('companies.new-supplier-part')}
      facts={facts}
      start={{ part: part ?? null, supplier: supplier ?? null, active: true }}
      names={[...(part === undefined ? ['part'] : []), ...(supplier === undefined ? ['supplier'] : []), ...MORE]}
      without={['part', 'supplier', 'barcode_hash']}
      own={(form) => ({
        part: () => <Pick form={form} name="part" {...BOUGHT} help={null} />,
        manufacturer_part: () => (
          <Pick form={form} name="manufacturer_part" {...madeAs(form.values.value.part as number | null)} help={null} />
        ),
      })}
      send={async (values, key) => (await post<{ pk: number }>(facts.path, values, key)).body}
      onDone={({ pk }) => navigate(`/supplier-part/${pk}/`)}
      onClose={onClose}
    />
  )
}

/** Parts that can be bought. */
export const BOUGHT = { ...sourceOfKind('part'), query: { purchaseable: true, active: true } }

/** What of a part its manufacturers call it. */
const madeAs = (part: number | null) => {
  const source = sourceOfKind('manufacturerPart')
  return { ...source, query: { ...source.query, part: part ?? undefined } }
}
