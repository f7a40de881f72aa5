import * as client from 'openid-client'
import type { SsoProvider } from '../../../single-sign-on.ts'
import { getGithubMetadata, readGithubIdentity } from './github.ts'
import { type Checks, type Identity, type Profile, toText } from './identity.ts'
import { SignInError } from './sign-in-error.ts'

/** Timeout for a provider's response, in seconds. */
const PROVIDER_TIMEOUT_SECONDS = 5

/** Milliseconds for which its addresses are cached. */
const CLIENT_LIFETIME_MS = 3_600_000

/** Secret that binds a code to its requester (PKCE). */
export const generateVerifier = client.randomPKCECodeVerifier

type CachedClient = { client: Promise<client.Configuration>; expires: number }
const cachedClients = new WeakMap<SsoProvider, CachedClient>()

/**
 * Returns the address for signing in at the provider.
 * @throws SignInError `not_configured`, `provider_unavailable`
 */
export async function buildAuthorizationUrl(provider: SsoProvider, redirectUri: string, checks: Checks): Promise<string> {
  const { state, nonce, verifier } = checks
  const configuration = await getClient(provider)
  const parameters = {
    redirect_uri: redirectUri,
    scope: provider.scopes.join(' '),
    state,
    ...(provider.protocol === 'openid' ? { nonce } : {}),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  try {
    return client.buildAuthorizationUrl(configuration, parameters).href
  } catch (error) {
    // its metadata has no sign-in address, or an unsafe one: the next request may get another
    cachedClients.delete(provider)
    throw new SignInError('provider_unavailable', describeError(error))
  }
}

/**
 * Exchanges the code that the browser returns with, and returns the identity that the provider states for it. State, issuer, nonce,
 * audience, times and signature are checked.
 * @param callbackUrl redirect URI with the parameters that the provider added
 * @throws SignInError `denied`, `invalid_answer`, `provider_unavailable`
 */
export async function exchangeCode(provider: SsoProvider, callbackUrl: URL, checks: Checks): Promise<Identity> {
  const configuration = await getClient(provider)
  const isOpenid = provider.protocol === 'openid'
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
      expectedState: checks.state,
      pkceCodeVerifier: checks.verifier,
      ...(isOpenid ? { expectedNonce: checks.nonce, idTokenExpected: true } : {}),
    })
    const identity = isOpenid
      ? toOpenidIdentity(provider, configuration, tokens.access_token, tokens.claims())
      : await readGithubIdentity(provider, configuration, tokens.access_token)
    return {
      ...identity,
      profile: () => identity.profile().catch(throwSignInError),
      groups: (claim) => identity.groups(claim).catch(throwSignInError),
    }
  } catch (error) {
    return throwSignInError(error)
  }
}

const throwSignInError = (error: unknown): never => {
  throw toSignInError(error)
}

function toOpenidIdentity(
  provider: SsoProvider,
  configuration: client.Configuration,
  accessToken: string,
  claims: client.IDToken | undefined,
): Identity {
  if (!claims) throw new SignInError('invalid_answer', 'no ID token')
  const readSource = async (claim: string): Promise<Record<string, unknown>> => {
    const isStated = claims[claim] !== undefined || !configuration.serverMetadata().userinfo_endpoint
    return isStated ? claims : client.fetchUserInfo(configuration, accessToken, claims.sub)
  }
  return {
    issuer: claims.iss,
    subject: claims.sub,
    // an address and whether it is verified must come from the same source
    profile: async () => toProfile(provider, await readSource('email')),
    groups: async (claim) => toGroups((await readSource(claim))[claim]),
  }
}

/** Reads a list of groups; one alone may be a text. Undefined for anything else. */
function toGroups(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map(toText).filter(Boolean) : undefined
}

function toProfile({ vouchesForAddresses }: SsoProvider, claims: Record<string, unknown>): Profile {
  const email = toText(claims.email)
  return {
    names: [toText(claims.preferred_username), toText(claims.nickname), email, toText(claims.name)],
    email,
    isVerified: vouchesForAddresses && claims.email_verified === true,
  }
}

/** The library's configuration of a provider. Its addresses are requested on first use; a failure is not cached. */
function getClient(provider: SsoProvider): Promise<client.Configuration> {
  const cachedClient = cachedClients.get(provider)
  if (cachedClient && Date.now() < cachedClient.expires) return cachedClient.client
  const created = { client: createClient(provider), expires: Date.now() + CLIENT_LIFETIME_MS }
  cachedClients.set(provider, created)
  created.client.catch(() => {
    if (cachedClients.get(provider) === created) cachedClients.delete(provider)
  })
  return created.client
}

async function createClient(provider: SsoProvider): Promise<client.Configuration> {
  const { clientId, issuer } = provider
  if (!clientId) throw new SignInError('not_configured')
  const isOpenid = provider.protocol === 'openid'
  const adjustments = [
    // tokens come directly from the provider over TLS, which the standard considers enough; the signature is checked anyway
    ...(isOpenid ? [client.enableNonRepudiationChecks] : []),
    // the configuration rejects such providers unless they are on this machine
    ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
  ]
  if (!isOpenid) {
    const created = new client.Configuration(getGithubMetadata(issuer), clientId, undefined, chooseAuthentication(provider))
    created.timeout = PROVIDER_TIMEOUT_SECONDS
    for (const step of adjustments) step(created)
    return created
  }
  try {
    return await client.discovery(new URL(issuer), clientId, undefined, chooseAuthentication(provider), {
      timeout: PROVIDER_TIMEOUT_SECONDS,
      execute: adjustments,
    })
  } catch (error) {
    throw new SignInError('provider_unavailable', describeError(error))
  }
}

/** Sends the client's secret in the way that the provider's metadata states; if it states none, in the header, the default of the standard. */
function chooseAuthentication({ clientSecret }: SsoProvider): client.ClientAuth {
  if (!clientSecret) return client.None()
  const inBody = client.ClientSecretPost(clientSecret)
  const inHeader = client.ClientSecretBasic(clientSecret)
  return (server, ...rest) =>
    (server.token_endpoint_auth_methods_supported?.includes('client_secret_post') ? inBody : inHeader)(server, ...rest)
}

/** Distinguishes a user who denied access and a provider that does not respond from an invalid response. */
function toSignInError(error: unknown): Error {
  if (error instanceof SignInError) return error
  if (error instanceof client.AuthorizationResponseError)
    return new SignInError(error.error === 'access_denied' ? 'denied' : 'invalid_answer', describeError(error))
  const { code } = error as { code?: string }
  const isUnreachable = error instanceof TypeError && error.message === 'fetch failed'
  const isUnavailable = isUnreachable || code === 'OAUTH_TIMEOUT' || code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  return new SignInError(isUnavailable ? 'provider_unavailable' : 'invalid_answer', describeError(error))
}

/** Describes an error of the library, without its causes: those contain codes and tokens. */
function describeError(error: unknown): string {
  const { message, code, error: errorCode } = error as { message: string; code?: string; error?: string }
  return [code, errorCode, message]
    .filter((part) => typeof part === 'string')
    .join(': ')
    .slice(0, 300)
}
