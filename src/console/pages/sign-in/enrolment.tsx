import metadata from 'metadata:/api/auth/mfa/totp/'
import codeMetadata from 'metadata:/api/auth/mfa/totp/confirm/'
import { useSignal } from '@preact/signals'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { t } from '../../kit/language/language.ts'
import { postQuery } from '../../kit/service/api.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

type StartedEnrolment = { secret: string; url: string; qr: string }

type Properties = {
  /** The reason for setting up a second factor, above the field for the password. */
  intro: string
  /** Whether the account has no password to enter. */
  hasNoPassword?: boolean
  onCancel?: () => void
  /** Called when the second factor is on, and the recovery codes are shown. */
  onEnrolled?: () => void
  /** Called once the recovery codes are stored. */
  onDone: () => void
}

/** Enrolls a second factor in three steps: the password, the secret with its first code, the recovery codes, which are shown once. */
export function Enrolment({ intro, hasNoPassword, onCancel, onEnrolled, onDone }: Properties) {
  const enrolment = useSignal<StartedEnrolment | undefined>(undefined)
  const codes = useSignal<readonly string[] | undefined>(undefined)
  if (codes.value) return <RecoveryCodes codes={codes.value} onStored={onDone} />
  if (enrolment.value)
    return (
      <FirstCodeForm
        enrolment={enrolment.value}
        onCancel={onCancel}
        onConfirmed={(result) => {
          codes.value = result
          onEnrolled?.()
        }}
      />
    )
  return (
    <PasswordForm
      intro={intro}
      hasNoPassword={hasNoPassword}
      onCancel={onCancel}
      onStarted={(result) => {
        enrolment.value = result
      }}
    />
  )
}

type PasswordProperties = Omit<Properties, 'onEnrolled' | 'onDone'> & { onStarted: (enrolment: StartedEnrolment) => void }

/** Asks for the password again, as the next step grants access. */
function PasswordForm({ intro, hasNoPassword, onCancel, onStarted }: PasswordProperties) {
  const form = useForm(metadata, hasNoPassword ? {} : { password: '' })
  async function begin() {
    const response = await form.submit(() => postQuery<StartedEnrolment>(metadata.path, form.values.value))
    if (response) onStarted(response.body)
  }
  return (
    <form {...bindSubmit(begin)}>
      <p>{intro}</p>
      {!hasNoPassword && (
        <Field form={form} name="password" help={null} type="password" autocomplete="current-password" autofocus />
      )}
      <FormFooter form={form} onCancel={onCancel}>
        {t('enrol.start')}
      </FormFooter>
    </form>
  )
}

type CodeProperties = {
  enrolment: StartedEnrolment
  onCancel?: () => void
  onConfirmed: (codes: readonly string[]) => void
}

/** Shows the secret for the authenticator, and checks its first code. */
function FirstCodeForm({ enrolment, onCancel, onConfirmed }: CodeProperties) {
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
      <FormFooter form={form} onCancel={onCancel}>
        {t('enrol.confirm')}
      </FormFooter>
    </form>
  )
}
