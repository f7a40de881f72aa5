import metadata from 'metadata:/api/auth/password/reset/'
import { useSignal } from '@preact/signals'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { t } from '../../kit/language/language.ts'
import { postQuery } from '../../kit/service/api.ts'

/** Requests an email with a link to the page that sets a new password. */
export function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const form = useForm(metadata, { email: '' })
  const isSent = useSignal(false)
  async function send() {
    isSent.value = (await form.submit(() => postQuery(metadata.path, form.values.value).then(() => true))) ?? false
  }
  const back = (
    <button type="button" class="link" onClick={onBack}>
      {t('sign-in.back')}
    </button>
  )
  if (isSent.value)
    return (
      <div role="status">
        <p>{t('sign-in.email-sent')}</p>
        {back}
      </div>
    )
  return (
    <form {...bindSubmit(send)}>
      <h2>{t('sign-in.forgotten')}</h2>
      <Field form={form} name="email" title={t('sign-in.email')} help={null} autocomplete="email" autofocus />
      <FormFooter form={form}>{t('sign-in.send-link')}</FormFooter>
      {back}
    </form>
  )
}
