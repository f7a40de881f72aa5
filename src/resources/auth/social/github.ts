import * as client from 'openid-client'
import type { SsoProvider } from '../../../single-sign-on.ts'
import { type Identity, type Profile, toText } from './identity.ts'
import { SignInError } from './sign-in-error.ts'

const PUBLIC_GITHUB = 'https://github.com'

/**
 * The addresses of GitHub, or of a GitHub Enterprise Server: plain OAuth 2 without discovery. The issuer is the one that it sends with its
 * responses (RFC 9207).
 */
export const getGithubMetadata = (base: string): client.ServerMetadata => ({
  issuer: `${base}/login/oauth`,
  authorization_endpoint: `${base}/login/oauth/authorize`,
  token_endpoint: `${base}/login/oauth/access_token`,
  token_endpoint_auth_methods_supported: ['client_secret_post'],
  code_challenge_methods_supported: ['S256'],
})

const getApiUrl = (base: string): string => (base === PUBLIC_GITHUB ? 'https://api.github.com' : `${base}/api/v3`)

/**
 * Returns the owner of an access token. GitHub has no signed ID tokens, so its API is called, with a token that came from GitHub itself.
 * User names there can change owners, so the number is the subject.
 * @throws SignInError `invalid_answer`, and errors of the library
 */
export async function readGithubIdentity(
  { issuer }: SsoProvider,
  configuration: client.Configuration,
  accessToken: string,
): Promise<Identity> {
  const fetchJson = async (path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' })
    const url = new URL(`${getApiUrl(issuer)}${path}`)
    const response = await client.fetchProtectedResource(configuration, accessToken, url, 'GET', undefined, headers)
    if (response.ok) return response.json()
    throw new SignInError(response.status >= 500 ? 'provider_unavailable' : 'invalid_answer', `${path}: ${response.status}`)
  }
  const user = (await fetchJson('/user')) as Record<string, unknown> | null
  if (!Number.isSafeInteger(user?.id)) throw new SignInError('invalid_answer', 'no id')
  const profile = async (): Promise<Profile> => {
    const { email, isVerified } = chooseAddress(await fetchJson('/user/emails').catch(emptyWithoutScope))
    return { names: [toText(user?.login), email], email, isVerified }
  }
  return { issuer, subject: String(user?.id), profile, groups: async () => undefined }
}

/** A user may have declined to share addresses: then there are none. */
function emptyWithoutScope(error: unknown): unknown[] {
  if (error instanceof SignInError && error.code === 'invalid_answer') return []
  throw error
}

/** Returns the primary address if it is verified, otherwise another verified one, otherwise an unverified one. */
function chooseAddress(addresses: unknown): Pick<Profile, 'email' | 'isVerified'> {
  const all = (Array.isArray(addresses) ? addresses : []) as { email?: unknown; primary?: unknown; verified?: unknown }[]
  const verified = all.filter((entry) => entry?.verified === true)
  const best = verified.find((entry) => entry.primary === true) ?? verified[0] ?? all.find((entry) => entry?.primary === true)
  return { email: toText(best?.email), isVerified: best?.verified === true }
}
