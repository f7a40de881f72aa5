import facts from 'facts:/api/auth/mfa/totp/'
import codeFacts from 'facts:/api/auth/mfa/totp/confirm/'
import { useSignal } from '@preact/signals'
import { Field, sentBy, useForm } from '../../kit/form/form.tsx'
import { FormEnd } from '../../kit/form/form-end.tsx'
import { t } from '../../kit/language/language.ts'
import { ask } from '../../kit/service/api.ts'
import { mustEnrol, signOut, startSession } from '../../kit/service/session.ts'

type Begun = { secret: string; url: string; qr: string }

/** Enrolls an account without a second factor if all accounts need one (`LOGIN_ENFORCE_MFA`); nothing else is available before that. */
export function Enrol() {
  const begun = useSignal<Begun | undefined>(undefined)
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
          {t('enrol.go-on')}
        </button>
      </>
    )
  return (
    <>
      <h2>{t('enrol.title')}</h2>
      {begun.value ? (
        <Confirm
          begun={begun.value}
          onConfirmed={(given) => {
            codes.value = given
          }}
        />
      ) : (
        <Begin
          onBegun={(given) => {
            begun.value = given
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
function Begin({ onBegun }: { onBegun: (begun: Begun) => void }) {
  const form = useForm(facts, { password: '' })
  async function begin() {
    const answer = await form.submit(() => ask<Begun>(facts.path, form.values.value))
    if (answer) onBegun(answer.body)
  }
  return (
    <form {...sentBy(begin)}>
      <p>{t('enrol.text')}</p>
      <Field form={form} name="password" help={null} type="password" autocomplete="current-password" autofocus />
      <FormEnd form={form}>{t('enrol.begin')}</FormEnd>
    </form>
  )
}

/** Shows the secret for the authenticator, and checks its first code. */
function Confirm({ begun, onConfirmed }: { begun: Begun; onConfirmed: (codes: readonly string[]) => void }) {
  const form = useForm(codeFacts, { code: '' })
  async function confirm() {
    const answer = await form.submit(() => ask<{ recovery_codes: string[] }>(codeFacts.path, form.values.value))
    if (answer) onConfirmed(answer.body.recovery_codes)
  }
  return (
    <form {...sentBy(confirm)}>
      <p>{t('enrol.scan')}</p>
      <img class="qr" src={begun.qr} alt={t('enrol.qr')} />
      <p class="secret">{begun.secret}</p>
      <Field form={form} name="code" title={t('sign-in.code')} help={null} autocomplete="one-time-code" autofocus />
      <FormEnd form={form}>{t('enrol.confirm')}</FormEnd>
    </form>
  )
}
