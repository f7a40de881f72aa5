import { procedure } from '../../../../kit/definition/action.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import type { Exchange } from '../../../../kit/request/exchange.ts'
import type { Services } from '../../../../kit/services/services.ts'
import { findProvider, NEXT_HELP, providerParams, startSignIn } from '../flow.ts'
import { redirectOnError, SignInError } from '../sign-in-error.ts'

/**
 * Only a page of our own may request it: a link elsewhere could link a victim's account to that of an attacker who signed them in at the
 * provider before.
 */
export const socialConnect = procedure({
  method: 'GET',
  path: '/api/auth/social/{provider}/connect/',
  summary: 'Link an account at a single sign-on provider',
  description:
    "Redirects a signed-in browser to a provider, to link the account there to the caller's account; it comes back to `callback/`. Only a page of this service, or of an origin in `CORS_ORIGINS`, can start it. An error redirects to `/?sso_error=...`.",
  errors: { not_found: 'The provider does not exist.' },
  throttled: true,
  example: { params: { provider: 'github' }, query: { next: '/' }, status: 404 },
  access: signedIn,
  status: 302,
  params: providerParams,
  query: { next: NEXT_HELP },
  handle(request) {
    const { caller, exchange, query } = request
    const provider = findProvider(request, request.params.provider)
    return redirectOnError(request, provider.id, async () => {
      if (!isOurPage(request, exchange)) throw new SignInError('cross_site')
      if (caller.session === undefined) throw new SignInError('not_signed_in')
      return startSignIn(request, provider, { next: query.next, connect: { user: caller.pk, session: caller.session } })
    })
  },
})

/** A browser states on which site a link was followed; older browsers state only the address of the page, which no other page can forge. */
function isOurPage({ config }: Services, exchange: Exchange): boolean {
  const site = exchange.header('sec-fetch-site')
  if (site === 'same-origin') return true
  const page = URL.parse(exchange.header('referer') ?? '')?.origin
  const ownOrigins = [new URL(config.siteUrl).origin, ...(config.corsOrigins === '*' ? [] : config.corsOrigins)]
  return page !== undefined && ownOrigins.includes(page)
}
