import accountMetadata from 'metadata:/api/auth/registration/'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { postQuery } from '../../kit/service/api.ts'
import type { FieldMetadata } from '../../kit/service/field-metadata.ts'
import { signIn } from '../../kit/service/session.ts'

/** The field for the setup code, which the first account requires. */
const setupCodeField = { ...(accountMetadata.fields.setup_code as FieldMetadata), isRequired: true }
const metadata = { ...accountMetadata, fields: { ...accountMetadata.fields, setup_code: setupCodeField } }

/** Creates the first account, with the setup code of the startup log, and signs in with it. */
export function FirstAccount({ onBack }: { onBack: () => void }) {
  const form = useForm(metadata, { username: '', password1: '', password2: '', email: '', setup_code: '' })
  async function createAccount() {
    const { username, password1 } = form.values.value as Record<string, string>
    const isDone = await form.submit(async () => {
      await postQuery(metadata.path, form.values.value)
      await signIn({ username, password: password1 })
      return true
    })
    if (isDone) navigate('/', { replace: true })
  }
  return (
    <form {...bindSubmit(createAccount)}>
      <h2>{t('sign-in.first')}</h2>
      <p>{t('sign-in.first-text')}</p>
      <Field form={form} name="setup_code" title={t('sign-in.setup-code')} help={t('sign-in.setup-code-help')} autofocus />
      <Field form={form} name="username" help={null} autocomplete="username" />
      <Field form={form} name="email" help={null} autocomplete="email" />
      <Field form={form} name="password1" title={t('field.password')} type="password" autocomplete="new-password" />
      <Field
        form={form}
        name="password2"
        title={t('sign-in.password-again')}
        help={null}
        type="password"
        autocomplete="new-password"
      />
      <FormFooter form={form}>{t('sign-in.create')}</FormFooter>
      <button type="button" class="link" onClick={onBack}>
        {t('sign-in.back')}
      </button>
    </form>
  )
}
