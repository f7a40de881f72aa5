import metadata from 'metadata:/api/part/category/'
import { Field } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { t } from '../../../kit/language/language.ts'
import { navigate } from '../../../kit/navigation/router.ts'
import { post } from '../../../kit/service/api.ts'

/** The fields of the forms of categories, in order. The others are under "More". */
export const FIELDS = ['name', 'description', 'parent', 'structural', 'default_location', 'default_keywords']

/** Asks for the fields of a new category, and opens its page. */
export const NewCategory = ({ parent, onClose }: { parent?: number; onClose: () => void }) => (
  <FormDialog<{ pk: number; name: string }>
    title={t('parts.new-category')}
    metadata={metadata}
    start={{ name: '', parent: parent ?? null, description: '', structural: false }}
    names={FIELDS}
    without={['pathstring', 'starred']}
    customFields={(form) =>
      Object.fromEntries(
        ['name', 'description', 'parent', 'default_location', 'default_keywords'].map((name) => [
          name,
          () => <Field form={form} name={name} help={null} />,
        ]),
      )
    }
    send={async (values, key) => (await post<{ pk: number; name: string }>(metadata.path, values, key)).body}
    getSuccessMessage={({ name }) => t('parts.category-created', { name })}
    onDone={({ pk }) => {
      onClose()
      navigate(`/part/category/${pk}/`)
    }}
    onClose={onClose}
  />
)
