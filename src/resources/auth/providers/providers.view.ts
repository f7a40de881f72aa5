import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { envelopeSchema } from '../../../kit/definition/resource.ts'
import { pageLinks } from '../../../kit/http/http.ts'
import { readWindow } from '../../../kit/reading/list.ts'
import { everyone } from '../../../kit/request/caller.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { SsoProvider } from '../../../single-sign-on.ts'
import { setting } from '../../settings/live.ts'

const text = (description: string) => Type.String({ description })
const flag = (description: string) => Type.Boolean({ description })

const waysIn = Type.Object({
  sso_enabled: flag('Accounts at other services can sign in (`LOGIN_ENABLE_SSO`).'),
  sso_registration: flag('Whoever does so without an account gets one (`LOGIN_ENABLE_SSO_REG`).'),
  mfa_required: flag('Everyone needs a second factor (`LOGIN_ENFORCE_MFA`).'),
  registration_enabled: flag('Anyone may register (`LOGIN_ENABLE_REG`).'),
  password_forgotten_enabled: flag('A forgotten password can be set anew by a mailed link (`LOGIN_ENABLE_PWD_FORGOT`).'),
  providers: Type.Array(
    Type.Object({
      id: text('What it is called in addresses.'),
      name: text('What people call it.'),
      configured: flag('It can be signed in with.'),
      login: text('Where a browser goes to sign in with it; empty while it is not configured.'),
      connect: text('Where a browser that is signed in goes to link an account there; empty while it is not configured.'),
      display_name: text('What people call it.'),
    }),
  ),
})

/** In the form of existing clients it is no list (decision 12). */
export const readProviders = view({
  path: '/api/auth/providers/',
  summary: 'The ways to sign in',
  description:
    'What a page that asks somebody to sign in has to know: which ways in are open, and the providers of single sign-on with the addresses that a browser follows to them. It is a list of one.',
  access: everyone,
  query: { limit: 'How many results the page has.', offset: 'How many come before it.' },
  answer: envelopeSchema(waysIn),
  read({ query, url, ...services }) {
    const { config } = services
    const answer = {
      sso_enabled: setting(services, 'LOGIN_ENABLE_SSO'),
      sso_registration: setting(services, 'LOGIN_ENABLE_SSO_REG'),
      mfa_required: setting(services, 'LOGIN_ENFORCE_MFA'),
      registration_enabled: setting(services, 'LOGIN_ENABLE_REG'),
      password_forgotten_enabled: setting(services, 'LOGIN_ENABLE_PWD_FORGOT'),
      providers: config.ssoProviders.map((provider) => describe(services, provider)),
    }
    if (config.wireForm === 'inventree') return answer
    const { limit = 1, offset } = readWindow(query, config.maxPageSize, false)
    return { count: 1, ...pageLinks(url, query, limit, offset, 1), results: offset === 0 ? [answer] : [] }
  },
})

/** A provider, and the addresses that a browser follows to it. */
function describe({ config }: Services, { id, name, clientId }: SsoProvider) {
  const none = config.wireForm === 'inventree' ? null : ''
  const address = (step: string) => (clientId ? `${config.siteUrl}/api/auth/social/${id}/${step}/` : none)
  return { id, name, configured: Boolean(clientId), login: address('login'), connect: address('connect'), display_name: name }
}
