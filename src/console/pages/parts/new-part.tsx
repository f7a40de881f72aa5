import metadata from 'metadata:/api/part/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Field } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { warn } from '../../kit/page/toast.tsx'
import { post, readDefaults } from '../../kit/service/api.ts'
import { EXCLUDED_FIELDS, type Part } from './part-details.tsx'

/** The flags of a part. Settings hold their defaults for new parts. */
const FLAGS = [
  'purchaseable',
  'component',
  'assembly',
  'trackable',
  'salable',
  'virtual',
  'is_template',
  'copy_category_parameters',
]

const FIELDS = [
  'name',
  'IPN',
  'description',
  'category',
  'units',
  'minimum_stock',
  'purchaseable',
  'component',
  'assembly',
  'trackable',
  'salable',
]

/** Asks for the fields of a new part, and opens its page. */
export function NewPart({ category, onClose }: { category?: number; onClose: () => void }) {
  const flags = useSignal<Record<string, unknown> | undefined>(undefined)
  useEffect(() => {
    readDefaults(metadata.path).then(
      (defaults) => {
        flags.value = Object.fromEntries(FLAGS.map((name) => [name, defaults[name] === true]))
      },
      (error: Error) => {
        warn(error.message)
        onClose()
      },
    )
  }, [])
  if (!flags.value) return null
  return (
    <FormDialog<Part>
      title={t('parts.new')}
      metadata={metadata}
      start={{ name: '', category: category ?? null, active: true, ...flags.value }}
      names={FIELDS}
      without={EXCLUDED_FIELDS}
      customFields={(form) =>
        Object.fromEntries(
          FIELDS.map((name) => [
            name,
            () => <Field form={form} name={name} help={name === 'units' ? t('parts.units-help') : null} />,
          ]),
        )
      }
      send={async (values, key) => (await post<Part>(metadata.path, omitEmpty(values), key)).body}
      getSuccessMessage={({ full_name }) => t('parts.created', { name: full_name })}
      onDone={({ pk }) => {
        onClose()
        navigate(`/part/${pk}/`)
      }}
      onClose={onClose}
    />
  )
}

/** Drops empty fields, which take the defaults of the service. */
const omitEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined))
