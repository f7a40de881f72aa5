import confirmMetadata from 'metadata:/api/auth/confirm/'
import disableMetadata from 'metadata:/api/auth/mfa/disable/'
import codesMetadata from 'metadata:/api/auth/mfa/recovery-codes/'
import { useSignal } from '@preact/signals'
import { Field, type Form } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { count, formatDateTime, t } from '../../../kit/language/language.ts'
import { useGet } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Panel } from '../../../kit/page/page.tsx'
import { postQuery } from '../../../kit/service/api.ts'
import { Dialog } from '../../../kit/window/dialog.tsx'
import type { ConfirmationState } from '../../sign-in/confirm-account.tsx'
import { Enrolment } from '../../sign-in/enrolment.tsx'
import { RecoveryCodes } from '../../sign-in/recovery-codes.tsx'

type State = { enabled: boolean; confirmed: string | null; recovery_codes: number; required: boolean }

/** Codes left at which new ones are recommended. */
const FEW_CODES = 3

/** The second factor of the account: set it up, get new recovery codes, turn it off. */
export function SecondFactor() {
  const { data, error, reload } = useGet<State>('/api/auth/mfa/')
  const confirmation = useGet<ConfirmationState>(confirmMetadata.path)
  const dialog = useSignal<'enrol' | 'disable' | 'codes' | undefined>(undefined)
  const show = (name: typeof dialog.value) => () => {
    dialog.value = name
  }
  const closeAndReload = () => {
    dialog.value = undefined
    reload()
  }
  if (error) return <LoadError error={error} />
  if (!data || !confirmation.data) return null
  const { enabled, confirmed, recovery_codes: codes, required } = data.body
  return (
    <Panel
      title={t('account.second-factor')}
      actions={
        enabled ? (
          <>
            <button type="button" onClick={show('codes')}>
              {t('account.new-codes')}
            </button>
            <button type="button" onClick={show('disable')}>
              {t('account.turn-off')}
            </button>
          </>
        ) : (
          <button type="button" class="primary" onClick={show('enrol')}>
            {t('enrol.title')}
          </button>
        )
      }
    >
      {enabled ? (
        <p>
          {t('account.second-factor.since', { time: formatDateTime(confirmed) })} {count('account.codes-left', codes)}{' '}
          {codes <= FEW_CODES && t('account.few-codes')}
        </p>
      ) : (
        <p>
          <Badge>{t('settings.off')}</Badge> {t('account.second-factor.about')}
        </p>
      )}
      {required && <p class="help">{t('account.second-factor.required')}</p>}
      {dialog.value === 'enrol' && (
        <EnrolDialog
          hasNoPassword={confirmation.data.body.method !== 'password'}
          onDone={closeAndReload}
          onClose={show(undefined)}
        />
      )}
      {dialog.value === 'disable' && (
        <FormDialog
          title={t('account.turn-off-ask')}
          metadata={disableMetadata}
          start={{ code: '' }}
          names={['code']}
          customFields={codeField}
          button={t('account.turn-off')}
          isDangerous
          send={(values) => postQuery(disableMetadata.path, values)}
          getSuccessMessage={() => t('account.turned-off')}
          onDone={closeAndReload}
          onClose={show(undefined)}
        >
          <p>{t('account.turn-off.about')}</p>
        </FormDialog>
      )}
      {dialog.value === 'codes' && <NewCodes onDone={closeAndReload} onClose={show(undefined)} />}
    </Panel>
  )
}

const codeField = (form: Form) => ({
  code: () => (
    <Field
      form={form}
      name="code"
      title={t('sign-in.code')}
      help={t('sign-in.code-help')}
      autocomplete="one-time-code"
      autofocus
    />
  ),
})

type EnrolProperties = { hasNoPassword: boolean; onDone: () => void; onClose: () => void }

/** The recovery codes close only by their button: they are not shown again. */
function EnrolDialog({ hasNoPassword, onDone, onClose }: EnrolProperties) {
  const isEnrolled = useSignal(false)
  return (
    <Dialog title={t('enrol.title')} onClose={isEnrolled.value ? undefined : onClose}>
      <Enrolment
        intro={t('account.enrol.about')}
        hasNoPassword={hasNoPassword}
        onEnrolled={() => {
          isEnrolled.value = true
        }}
        onDone={onDone}
        onCancel={onClose}
      />
    </Dialog>
  )
}

function NewCodes({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const codes = useSignal<readonly string[] | undefined>(undefined)
  if (codes.value)
    return (
      <Dialog title={t('account.new-codes')}>
        <RecoveryCodes codes={codes.value} onStored={onDone} />
      </Dialog>
    )
  return (
    <FormDialog
      title={t('account.new-codes')}
      metadata={codesMetadata}
      start={{ code: '' }}
      names={['code']}
      customFields={codeField}
      send={(values) => postQuery<{ recovery_codes: string[] }>(codesMetadata.path, values)}
      onDone={({ body }) => {
        codes.value = body.recovery_codes
      }}
      onClose={onClose}
    >
      <p>{t('account.new-codes.about')}</p>
    </FormDialog>
  )
}
