import loginMetadata from 'metadata:/api/auth/login/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { bindSubmit, Field, useForm } from '../../kit/form/form.tsx'
import { FormFooter } from '../../kit/form/form-footer.tsx'
import { type Key, t } from '../../kit/language/language.ts'
import { navigate, readQuery, routeLocation } from '../../kit/navigation/router.ts'
import { formatWindowTitle } from '../../kit/page/window-title.ts'
import { ApiError, get, mustEnrol } from '../../kit/service/api.ts'
import { instance, loadInstance } from '../../kit/service/instance.ts'
import { account, signIn } from '../../kit/service/session.ts'
import { Choices } from '../../shell/header.tsx'
import { AcceptInvitation, INVITATION_PATH } from './accept-invitation.tsx'
import { Enrol } from './enrol.tsx'
import { FirstAccount } from './first-account.tsx'
import { ForgottenPassword } from './forgotten-password.tsx'
import { loadSignInMethods, Providers, type SignInMethods } from './providers.tsx'

type Step = 'sign-in' | 'first-account' | 'forgotten' | 'invitation'

type Properties = {
  icon?: string
  /** Whether the session ended while a page was open, which stays below this form. */
  isRenewal?: boolean
}

/** Whether any field has text. */
const hasTypedText = (): boolean => [...document.querySelectorAll('input')].some(({ value }) => value !== '')

/** Asks for credentials before a page is shown. */
export function SignIn({ icon, isRenewal }: Properties) {
  const methods = useSignal<SignInMethods | undefined>(undefined)
  const isFirst = useSignal(false)
  const step = useSignal<Step>(routeLocation.value.path === INVITATION_PATH ? 'invitation' : 'sign-in')
  useEffect(() => {
    document.title = formatWindowTitle(t('sign-in.title'))
    void loadInstance()
    if (mustEnrol.value) return
    loadSignInMethods().then((loaded) => {
      methods.value = loaded
    })
    get<{ is_open: boolean }>('/api/web/first-account/').then(({ body }) => {
      isFirst.value = body.is_open
      // no account exists that could sign in
      if (body.is_open && !isRenewal && !hasTypedText()) step.value = 'first-account'
    })
  }, [mustEnrol.value])
  const back = () => {
    step.value = 'sign-in'
    if (routeLocation.value.path === INVITATION_PATH) navigate('/', { replace: true })
  }
  const content = (
    <>
      {mustEnrol.value ? (
        <>
          {!isRenewal && <h2>{t('enrol.title')}</h2>}
          <Enrol />
        </>
      ) : step.value === 'invitation' && !isRenewal ? (
        <AcceptInvitation onBack={back} />
      ) : step.value === 'first-account' ? (
        <FirstAccount onBack={back} />
      ) : step.value === 'forgotten' ? (
        <ForgottenPassword onBack={back} />
      ) : (
        <>
          {isRenewal && <p>{t('sign-in.session-ended')}</p>}
          <Credentials />
          {methods.value?.sso_enabled && <Providers providers={methods.value.providers} />}
          <p class="sign-in-links">
            {methods.value?.password_forgotten_enabled && (
              <button type="button" class="link" onClick={() => (step.value = 'forgotten')}>
                {t('sign-in.forgotten')}
              </button>
            )}
            {isFirst.value && !isRenewal && (
              <button type="button" class="link" onClick={() => (step.value = 'first-account')}>
                {t('sign-in.first')}
              </button>
            )}
          </p>
        </>
      )}
    </>
  )
  if (isRenewal) return content
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <h1>
          <img src={instance.value.logo ?? icon} alt="" height="36" />
          {instance.value.name}
        </h1>
        {content}
      </div>
      <div class="sign-in-choices">
        <Choices />
      </div>
    </main>
  )
}

/** Name and password, then the code if the account has a second factor. */
function Credentials() {
  const form = useForm(loginMetadata, { username: '', password: '' })
  // a sign-in at a provider that requires the code returns here
  const isPending = readQuery('sso') === 'code_required'
  const needsCode = useSignal(isPending)
  const ssoError = readQuery('sso_error')
  const previousAccount = account.value?.pk
  async function send() {
    const { username, password, code } = form.values.value as Record<string, string>
    const credentials = isPending ? { code } : needsCode.value ? { username, password, code } : { username, password }
    const isSignedIn = await form.submit(() =>
      signIn(credentials).then(
        () => true,
        (error) => {
          if (!(error instanceof ApiError) || error.code !== 'mfa_required') throw error
          needsCode.value = true
          return false
        },
      ),
    )
    if (!isSignedIn) return
    // the open page belongs to another account
    if (previousAccount !== undefined && previousAccount !== account.value?.pk) window.location.reload()
    if (isPending) navigate(readQuery('next') ?? '/', { replace: true })
  }
  return (
    <form {...bindSubmit(send)}>
      {ssoError && <p class="problem">{formatSsoProblem(ssoError)}</p>}
      {!isPending && (
        <>
          <Field form={form} name="username" help={null} autocomplete="username" autofocus />
          <Field form={form} name="password" help={null} type="password" autocomplete="current-password" />
        </>
      )}
      {needsCode.value && (
        <Field
          key="code"
          form={form}
          name="code"
          title={t('sign-in.code')}
          help={t('sign-in.code-help')}
          autocomplete="one-time-code"
          autofocus
        />
      )}
      <FormFooter form={form}>{t('sign-in.button')}</FormFooter>
    </form>
  )
}

const SSO_PROBLEMS = new Set(['denied', 'expired', 'inactive', 'registration_closed', 'address_missing', 'address_taken'])

const formatSsoProblem = (code: string): string =>
  t(`sign-in.sso.${SSO_PROBLEMS.has(code) ? code : 'failed'}` as Extract<Key, 'sign-in.sso.failed'>)
