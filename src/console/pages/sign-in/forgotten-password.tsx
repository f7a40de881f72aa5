import metadata from 'metadata:/api/auth/password/reset/'
import { useSignal } from '@preact/signals'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { t } from '../../kit/language/language.ts'
import { useGet } from '../../kit/page/data.ts'
import { postQuery } from '../../kit/service/api.ts'

/** Requests an email with a link to the page that sets a new password. */
export function ForgottenPassword({ onBack }: { onBack: () => void }) {
  const form = useForm(metadata, { email: '' })
  const isSent = useSignal(false)
  const hasMail = useGet<{ email_configured: boolean }>('/api/').data?.body.email_configured !== false
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
        <p>{t(hasMail ? 'sign-in.email-sent' : 'sign-in.link-written')}</p>
        {back}
      </div>
    )
  return (
    <form {...bindSubmit(send)}>
      <h2>{t('sign-in.forgotten')}</h2>
      {!hasMail && <p class="notice">{t('sign-in.no-mail')}</p>}
      <Field form={form} name="email" title={t('sign-in.email')} help={null} autocomplete="email" autofocus />
      <FormFooter form={form}>{t(hasMail ? 'sign-in.send-link' : 'sign-in.write-link')}</FormFooter>
      {back}
    </form>
  )
}
