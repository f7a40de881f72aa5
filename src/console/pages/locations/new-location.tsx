import metadata from 'metadata:/api/stock/location/'
import { Field } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { post } from '../../kit/service/api.ts'
import { EXCLUDED_FIELDS, FIELDS, type Location } from './location-details.ts'

/** The form for a new location, which opens its page. */
export const NewLocation = ({ parent, onClose }: { parent?: number; onClose: () => void }) => (
  <FormDialog<Location>
    title={t('locations.new')}
    metadata={metadata}
    start={{ name: '', parent: parent ?? null, structural: false, external: false }}
    names={FIELDS}
    without={EXCLUDED_FIELDS}
    customFields={(form) => ({
      name: () => <Field form={form} name="name" help={null} />,
      description: () => <Field form={form} name="description" help={null} />,
      parent: () => <Field form={form} name="parent" help={t('locations.parent-help')} />,
      structural: () => <Field form={form} name="structural" help={t('locations.structural-help')} />,
      external: () => <Field form={form} name="external" help={t('locations.external-help')} />,
      location_type: () => <Field form={form} name="location_type" help={null} />,
    })}
    send={async (values, key) => (await post<Location>(metadata.path, values, key)).body}
    getSuccessMessage={({ name }) => t('locations.created', { name })}
    onDone={({ pk }) => {
      onClose()
      navigate(`/stock/location/${pk}/`)
    }}
    onClose={onClose}
  />
)
