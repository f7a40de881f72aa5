import confirmMetadata from 'metadata:/api/auth/confirm/'
import metadata from 'metadata:/api/auth/password/change/'
import { useSignal } from '@preact/signals'
import { Field, type Form } from '../../../kit/form/form.tsx'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import { type PlainKey, t } from '../../../kit/language/language.ts'
import { useGet } from '../../../kit/page/data.ts'
import { Icon } from '../../../kit/page/icon.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Panel } from '../../../kit/page/page.tsx'
import { ApiError, postQuery } from '../../../kit/service/api.ts'
import type { FieldMetadata } from '../../../kit/service/field-metadata.ts'
import type { ConfirmationState } from '../../sign-in/confirm-account.tsx'

/** The service lets a change omit the current password. The console requires it, as a browser may be unattended. */
const requiredOldPassword = { ...(metadata.fields.old_password as FieldMetadata), isRequired: true }
const strictMetadata = { ...metadata, fields: { ...metadata.fields, old_password: requiredOldPassword } }

/** Changes the password, or sets the first one of an account that signs in at a provider. */
export function PasswordPanel() {
  const { data, error, reload } = useGet<ConfirmationState>(confirmMetadata.path)
  const isChanging = useSignal(false)
  const setChanging = (isOpen: boolean) => () => {
    isChanging.value = isOpen
  }
  if (error) return <LoadError error={error} />
  if (!data) return null
  const hasPassword = data.body.method === 'password'
  const title = t(hasPassword ? 'account.change-password' : 'account.set-password')
  return (
    <Panel
      title={t('account.password')}
      actions={
        <button type="button" onClick={setChanging(true)}>
          <Icon name="key" />
          {title}
        </button>
      }
    >
      <p>{t(hasPassword ? 'account.password.about' : 'account.password.none')}</p>
      {isChanging.value && (
        <FormDialog
          title={title}
          metadata={hasPassword ? strictMetadata : metadata}
          start={{ ...(hasPassword ? { old_password: '' } : {}), new_password1: '', new_password2: '' }}
          names={[...(hasPassword ? ['old_password'] : []), 'new_password1', 'new_password2']}
          without="rest"
          customFields={(form) => ({
            old_password: () => passwordField(form, 'old_password', 'account.old-password', 'current-password'),
            new_password1: () => passwordField(form, 'new_password1', 'account.new-password', 'new-password'),
            new_password2: () => passwordField(form, 'new_password2', 'sign-in.password-again', 'new-password'),
          })}
          button={title}
          send={async (values) => {
            if (values.old_password === '')
              throw new ApiError(400, 'invalid', '', { old_password: [t('account.old-password.missing')] })
            return postQuery(metadata.path, values)
          }}
          getSuccessMessage={() => t('account.password.saved')}
          onDone={() => {
            isChanging.value = false
            reload()
          }}
          onClose={setChanging(false)}
        />
      )}
    </Panel>
  )
}

const passwordField = (form: Form, name: string, title: PlainKey, autocomplete: string) => (
  <Field
    form={form}
    name={name}
    title={t(title)}
    help={name === 'new_password1' ? undefined : null}
    type="password"
    autocomplete={autocomplete}
  />
)
