import metadata from 'metadata:/api/auth/mfa/totp/'
import codeMetadata from 'metadata:/api/auth/mfa/totp/confirm/'
import { useSignal } from '@preact/signals'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { t } from '../../kit/language/language.ts'
import { postQuery } from '../../kit/service/api.ts'
import { mustEnrol, signOut, startSession } from '../../kit/service/session.ts'

type Enrolment = { secret: string; url: string; qr: string }

/** Enrolls an account without a second factor if all accounts need one (`LOGIN_ENFORCE_MFA`); nothing else is available before that. */
export function Enrol() {
  const enrolment = useSignal<Enrolment | undefined>(undefined)
  const codes = useSignal<readonly string[] | undefined>(undefined)
  if (codes.value)
    return (
      <>
        <h2>{t('enrol.codes')}</h2>
        <p>{t('enrol.codes-text')}</p>
        <ul class="recovery-codes">
          {codes.value.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <button type="button" class="primary" onClick={() => startSession()}>
          {t('enrol.codes-stored')}
        </button>
      </>
    )
  return (
    <>
      <h2>{t('enrol.title')}</h2>
      {enrolment.value ? (
        <Confirm
          enrolment={enrolment.value}
          onConfirmed={(result) => {
            codes.value = result
          }}
        />
      ) : (
        <PasswordForm
          onStarted={(result) => {
            enrolment.value = result
          }}
        />
      )}
      <button
        type="button"
        class="link"
        onClick={async () => {
          await signOut()
          mustEnrol.value = false
        }}
      >
        {t('sign-out')}
      </button>
    </>
  )
}

/** Asks for the password again, as the next step grants access. */
function PasswordForm({ onStarted }: { onStarted: (enrolment: Enrolment) => void }) {
  const form = useForm(metadata, { password: '' })
  async function begin() {
    const response = await form.submit(() => postQuery<Enrolment>(metadata.path, form.values.value))
    if (response) onStarted(response.body)
  }
  return (
    <form {...bindSubmit(begin)}>
      <p>{t('enrol.text')}</p>
      <Field form={form} name="password" help={null} type="password" autocomplete="current-password" autofocus />
      <FormFooter form={form}>{t('enrol.start')}</FormFooter>
    </form>
  )
}

/** Shows the secret for the authenticator, and checks its first code. */
function Confirm({ enrolment, onConfirmed }: { enrolment: Enrolment; onConfirmed: (codes: readonly string[]) => void }) {
  const form = useForm(codeMetadata, { code: '' })
  async function confirm() {
    const response = await form.submit(() => postQuery<{ recovery_codes: string[] }>(codeMetadata.path, form.values.value))
    if (response) onConfirmed(response.body.recovery_codes)
  }
  return (
    <form {...bindSubmit(confirm)}>
      <p>{t('enrol.scan')}</p>
      <img class="qr" src={enrolment.qr} alt={t('enrol.qr')} />
      <p class="secret">{enrolment.secret}</p>
      <Field form={form} name="code" title={t('sign-in.code')} help={null} autocomplete="one-time-code" autofocus />
      <FormFooter form={form}>{t('enrol.confirm')}</FormFooter>
    </form>
  )
}
