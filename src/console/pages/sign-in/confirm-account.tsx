import metadata from 'metadata:/api/auth/confirm/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { t } from '../../kit/language/language.ts'
import { useGet } from '../../kit/page/data.ts'
import { postQuery } from '../../kit/service/api.ts'
import { account } from '../../kit/service/session.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { loadSignInMethods, type Provider, Providers } from './providers.tsx'

/** The value that an account enters to confirm its identity: an account without a password or a second factor signs in at its provider. */
export type ConfirmationState = { method: 'password' | 'code' | 'sign_in'; confirmed: boolean }

/**
 * Asks for the password, otherwise for a code, before an action that grants access: an unattended browser is not enough for it.
 * @param settle receives whether the account was confirmed
 */
export function ConfirmAccount({ settle }: { settle: (isConfirmed: boolean) => void }) {
  const { data, error } = useGet<ConfirmationState>(metadata.path)
  // the action shows why the service rejected it
  useEffect(() => {
    if (error) settle(false)
  }, [error])
  if (!data) return null
  const { method } = data.body
  return (
    <Dialog title={t('confirm-account.title')} onClose={() => settle(false)}>
      {method === 'sign_in' ? (
        <SignInAgain onClose={() => settle(false)} />
      ) : (
        <Credential key={method} name={method} settle={settle} />
      )}
    </Dialog>
  )
}

function Credential({ name, settle }: { name: 'password' | 'code'; settle: (isConfirmed: boolean) => void }) {
  const form = useForm(metadata, { [name]: '' })
  async function confirm() {
    const isConfirmed = await form.submit(() => postQuery(metadata.path, form.values.value).then(() => true))
    if (isConfirmed) settle(true)
  }
  return (
    <form {...bindSubmit(confirm)}>
      <p>{t(name === 'password' ? 'confirm-account.password' : 'confirm-account.code')}</p>
      {/* password managers select the password by it */}
      <input type="hidden" autocomplete="username" value={account.value?.username} />
      {name === 'password' ? (
        <Field form={form} name="password" help={null} type="password" autocomplete="current-password" autofocus />
      ) : (
        <Field
          form={form}
          name="code"
          title={t('sign-in.code')}
          help={t('sign-in.code-help')}
          autocomplete="one-time-code"
          autofocus
        />
      )}
      <FormFooter form={form} onCancel={() => settle(false)}>
        {t('confirm.confirm')}
      </FormFooter>
    </form>
  )
}

/** Links to the providers, which return to the page. */
function SignInAgain({ onClose }: { onClose: () => void }) {
  const providers = useSignal<readonly Provider[]>([])
  useEffect(() => {
    loadSignInMethods().then((methods) => {
      providers.value = methods?.providers ?? []
    })
  }, [])
  return (
    <>
      <p>{t('confirm-account.sign-in')}</p>
      <Providers providers={providers.value} />
      <div class="buttons">
        <button type="button" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </>
  )
}
