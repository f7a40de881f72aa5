import metadata from 'metadata:/api/user/invitation/accept/'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { formatDateTime, t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { Empty, Page } from '../../kit/page/page.tsx'
import { ApiError, postQuery } from '../../kit/service/api.ts'
import { account, formatAccountName, signIn, signOut } from '../../kit/service/session.ts'

/** The page of the links of invitations. Their token is after `#`, which browsers do not send to the service. */
export const INVITATION_PATH = '/invitation/'

type Invitation = { email: string; invited_by: string; expires: string }

/** Creates an account with an invitation, and signs in with it. */
export function AcceptInvitation({ onBack }: { onBack: () => void }) {
  const token = useMemo(() => window.location.hash.slice(1), [])
  const invitation = useSignal<Invitation | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  useEffect(() => {
    postQuery<Invitation>('/api/user/invitation/check/', { token }).then(
      ({ body }) => {
        invitation.value = body
      },
      (error) => {
        if (!(error instanceof ApiError)) throw error
        problem.value = error.text
      },
    )
  }, [])
  if (problem.value !== undefined)
    return (
      <div>
        <h2>{t('invitation.invalid')}</h2>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <p>{t('invitation.invalid.about')}</p>
        <button type="button" class="link" onClick={onBack}>
          {t('sign-in.back')}
        </button>
      </div>
    )
  return invitation.value ? <NewAccount token={token} invitation={invitation.value} /> : null
}

function NewAccount({ token, invitation }: { token: string; invitation: Invitation }) {
  const form = useForm(metadata, {
    token,
    username: '',
    first_name: '',
    last_name: '',
    email: '',
    password1: '',
    password2: '',
  })
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
      <h2>{t('invitation.title')}</h2>
      <p>{t('invitation.about', { name: invitation.invited_by, time: formatDateTime(invitation.expires) })}</p>
      <Field form={form} name="username" autocomplete="username" autofocus />
      <Field form={form} name="first_name" title={t('account.first-name')} help={null} autocomplete="given-name" />
      <Field form={form} name="last_name" title={t('account.last-name')} help={null} autocomplete="family-name" />
      {invitation.email === '' ? (
        <Field form={form} name="email" help={t('invitation.email')} autocomplete="email" />
      ) : (
        <p>{t('invitation.email-of', { email: invitation.email })}</p>
      )}
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
    </form>
  )
}

/** `/invitation/` of someone who is signed in: an invitation is for another account. */
export const InvitationPage = () => (
  <Page title={t('invitation.title')}>
    <Empty icon="user" title={t('invitation.signed-in', { name: account.value ? formatAccountName(account.value) : '' })}>
      <p>{t('invitation.signed-in.about')}</p>
      <button type="button" class="primary" onClick={() => signOut()}>
        {t('invitation.sign-out')}
      </button>
    </Empty>
  </Page>
)
