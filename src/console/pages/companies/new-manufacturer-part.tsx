import metadata from 'metadata:/api/company/part/manufacturer/'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { ReferenceField } from '../../kit/form/reference-field.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { post } from '../../kit/service/api.ts'
import { PURCHASEABLE_PARTS } from './new-supplier-part.tsx'

/** Given values: the part, or the manufacturer. */
type Properties = { part?: number; manufacturer?: number; onClose: () => void }

/** The form for a new manufacturer part, which opens its page. */
export function NewManufacturerPart({ part, manufacturer, onClose }: Properties) {
  return (
    <FormDialog<{ pk: number }>
      title={t('companies.new-manufacturer-part')}
      metadata={metadata}
      start={{ part: part ?? null, manufacturer: manufacturer ?? null }}
      names={[
        ...(part === undefined ? ['part'] : []),
        ...(manufacturer === undefined ? ['manufacturer'] : []),
        ...['MPN', 'description', 'link'],
      ]}
      without={['part', 'manufacturer', 'barcode_hash']}
      customFields={(form) => ({ part: () => <ReferenceField form={form} name="part" {...PURCHASEABLE_PARTS} help={null} /> })}
      send={async (values, key) => (await post<{ pk: number }>(metadata.path, values, key)).body}
      onDone={({ pk }) => navigate(`/manufacturer-part/${pk}/`)}
      onClose={onClose}
    />
  )
}
