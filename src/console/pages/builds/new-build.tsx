import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Field, type Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { warn } from '../../kit/page/toast.tsx'
import { post, readDefaults } from '../../kit/service/api.ts'
import { type Build, buildMetadata, FORM_FIELDS } from './build-details.ts'

/** Fields whose label is clear without help. */
const FIELDS_WITHOUT_HELP = ['part', 'quantity', 'title', 'reference', 'parent']

type Properties = {
  /** Initial values: the part, the quantity, the parent build order. */
  initialValues?: Values
  onClose: () => void
}

/** The form for a new build order, which opens its page. The next reference is generated. */
export function NewBuild({ initialValues = {}, onClose }: Properties) {
  const reference = useSignal<string | undefined>(undefined)
  useEffect(() => {
    readDefaults(buildMetadata.path).then(
      (defaults) => {
        reference.value = String(defaults.reference ?? '')
      },
      (error: Error) => {
        warn(error.message)
        onClose()
      },
    )
  }, [])
  if (reference.value === undefined) return null
  const names = [...FORM_FIELDS.slice(0, 4), 'reference', ...FORM_FIELDS.slice(4)]
  return (
    <FormDialog<Build>
      title={t('builds.new')}
      metadata={buildMetadata}
      start={{ reference: reference.value, part: null, quantity: '1', title: '', ...initialValues }}
      // a part with an initial value comes last, so that another field gets the focus
      names={initialValues.part ? [...names.filter((name) => name !== 'part'), 'part'] : names}
      without={['notes']}
      customFields={(form) =>
        Object.fromEntries(FIELDS_WITHOUT_HELP.map((name) => [name, () => <Field form={form} name={name} help={null} />]))
      }
      send={async (values, key) => (await post<Build>(buildMetadata.path, values, key)).body}
      getSuccessMessage={({ reference }) => t('builds.was-created', { reference })}
      onDone={({ pk }) => {
        onClose()
        navigate(`/build/${pk}/`)
      }}
      onClose={onClose}
    />
  )
}
