import type { Reply } from '../../../kit/definition/action.ts'
import type { Query } from '../../../kit/definition/filter.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { notFound } from '../../../kit/request/problem.ts'
import { randomToken } from '../../../kit/services/secrets.ts'
import type { Services } from '../../../kit/services/services.ts'
import { setting } from '../../../settings/live.ts'
import type { SsoProvider } from '../../../single-sign-on.ts'
import { countSignIn } from '../count-sign-in.ts'
import { toDestination } from './destination.ts'
import type { Checks, Identity } from './identity.ts'
import { createSealedCookie } from './sealed-cookie.ts'
import { redirect, SignInError } from './sign-in-error.ts'

/** Seconds to sign in at the provider. */
const LIFETIME_SECONDS = 600

/** A sign-in for which a browser was sent to a provider. The browser must return with the cookie that holds it. */
export type Flow = Checks & {
  provider: string
  /** Redirect target afterwards: a path below the service's address. */
  next: string
  /** Links the account at the provider to this one, in this session; without it, signs in. */
  connect?: { user: number; session: number }
}

/** Path parameters of the sign-in operations. */
export const providerParams = { provider: 'The provider, by its id in `/api/auth/providers/`.' }

/** Help text of the parameter `next`. */
export const NEXT_HELP = 'A path of this service to redirect to afterwards; by default `/`.'

type Context = Services & { exchange: Exchange }

/** Loads the client for providers, on the first sign-in with one. */
const loadProviderClient = () => import('./provider-client.ts')

const cookie = createSealedCookie<Flow>('single_sign_on', { seconds: LIFETIME_SECONDS })

/** @throws Problem 404 when there is no such provider */
export function findProvider({ config }: Services, id: string | undefined): SsoProvider {
  const match = config.ssoProviders.find((provider) => provider.id === id)
  if (!match) throw notFound()
  return match
}

/**
 * Sends a browser to a provider.
 * @throws SignInError `disabled`, `not_configured`, `provider_unavailable`; Problem 429
 */
export async function startSignIn(
  context: Context,
  provider: SsoProvider,
  { next, connect }: { next: string | undefined; connect?: Flow['connect'] },
): Promise<Reply> {
  const { config, secrets, exchange } = context
  await countSignIn(context)
  requireEnabled(context)
  const { buildAuthorizationUrl: authorizationUrl, generateVerifier: newVerifier } = await loadProviderClient()
  const checks = { state: randomToken(), nonce: randomToken(), verifier: newVerifier() }
  const location = await authorizationUrl(provider, buildRedirectUri(context, provider), checks)
  cookie.write(exchange, secrets, { ...checks, provider: provider.id, next: toDestination(config.siteUrl, next), connect })
  return redirect(location)
}

/**
 * Completes a sign-in after the provider redirected the browser back: it must be the browser that was sent there, and each sign-in can be
 * completed only once.
 * @throws SignInError `expired`, and the errors of the provider's response
 */
export async function finishSignIn(
  context: Context,
  provider: SsoProvider,
  query: Query,
): Promise<{ flow: Flow; identity: Identity }> {
  const { exchange, secrets, throttle } = context
  const sealed = cookie.read(exchange, secrets)
  cookie.clear(exchange)
  requireEnabled(context)
  if (!sealed || !(await cookie.markUsed(throttle, sealed.id))) throw new SignInError('expired')
  const flow = sealed.value
  // a provider must not pass off its response as that of another
  if (flow.provider !== provider.id) throw new SignInError('invalid_answer', `the response of ${flow.provider}`)
  // a parameter may occur once (RFC 6749, 3.1); which of two would count is undefined
  if (Object.keys(query).some((name) => name.endsWith('[]'))) throw new SignInError('invalid_answer', 'a duplicate parameter')
  const callbackUrl = new URL(buildRedirectUri(context, provider))
  for (const [name, value] of Object.entries(query)) callbackUrl.searchParams.set(name, value)
  const { exchangeCode } = await loadProviderClient()
  return { flow, identity: await exchangeCode(provider, callbackUrl, flow) }
}

const buildRedirectUri = ({ config }: Services, { id }: SsoProvider): string =>
  `${config.siteUrl}/api/auth/social/${id}/callback/`

function requireEnabled(context: Services): void {
  if (!setting(context, 'LOGIN_ENABLE_SSO')) throw new SignInError('disabled')
}
