import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { envelopeSchema } from '../../../kit/definition/resource.ts'
import { buildPageLinks } from '../../../kit/http/http.ts'
import { readWindow } from '../../../kit/reading/list.ts'
import { everyone } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import { setting } from '../../../settings/live.ts'
import type { SsoProvider } from '../../../single-sign-on.ts'

const text = (description: string) => Type.String({ description })
const flag = (description: string) => Type.Boolean({ description })

const signInMethods = Type.Object({
  sso_enabled: flag('Whether single sign-on is enabled (`LOGIN_ENABLE_SSO`).'),
  sso_registration: flag('Whether single sign-on creates missing accounts (`LOGIN_ENABLE_SSO_REG`).'),
  mfa_required: flag('Whether all accounts need a second factor (`LOGIN_ENFORCE_MFA`).'),
  registration_enabled: flag('Whether registration is open (`LOGIN_ENABLE_REG`).'),
  password_forgotten_enabled: flag('Whether a forgotten password can be reset by email (`LOGIN_ENABLE_PWD_FORGOT`).'),
  providers: Type.Array(
    Type.Object({
      id: text('Its id in URLs.'),
      name: text('The display name.'),
      configured: flag('Whether the provider is configured.'),
      login: text('The URL for signing in with a browser; empty if not configured.'),
      connect: text('The URL for linking an account in a signed-in browser; empty if not configured.'),
      display_name: text('The display name.'),
    }),
  ),
})

/** For existing clients it is not a list (docs/decisions.md#list-of-providers). */
export const readProviders = view({
  path: '/api/auth/providers/',
  summary: 'List the ways to sign in',
  description:
    'Returns what a sign-in page needs: the enabled ways to sign in, and the single sign-on providers with their URLs. The list has one item.',
  access: everyone,
  query: { limit: 'The maximum number of results on the page.', offset: 'The number of items before the page.' },
  response: envelopeSchema(signInMethods),
  read({ query, url, ...services }) {
    const { config } = services
    const body = {
      sso_enabled: setting(services, 'LOGIN_ENABLE_SSO'),
      sso_registration: setting(services, 'LOGIN_ENABLE_SSO_REG'),
      mfa_required: setting(services, 'LOGIN_ENFORCE_MFA'),
      registration_enabled: setting(services, 'LOGIN_ENABLE_REG'),
      password_forgotten_enabled: setting(services, 'LOGIN_ENABLE_PWD_FORGOT'),
      providers: config.ssoProviders.map((provider) => describe(services, provider)),
    }
    if (config.wire.bareProviders) return body
    const { limit = 1, offset } = readWindow(query, config.maxPageSize, false)
    return { count: 1, ...buildPageLinks(url, query, limit, offset, 1), results: offset === 0 ? [body] : [] }
  },
})

/** Describes a provider, with the addresses that a browser opens to sign in or connect. */
function describe({ config }: Services, { id, name, clientId }: SsoProvider) {
  const none = config.wire.bareProviders ? null : ''
  const address = (step: string) => (clientId ? `${config.siteUrl}/api/auth/social/${id}/${step}/` : none)
  return { id, name, configured: Boolean(clientId), login: address('login'), connect: address('connect'), display_name: name }
}
