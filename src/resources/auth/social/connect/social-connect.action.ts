import { procedure } from '../../../../kit/definition/action.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import type { Exchange } from '../../../../kit/request/exchange.ts'
import type { Services } from '../../../../kit/services/services.ts'
import { begin, providerOf } from '../flow.ts'
import { ledBack, Refusal } from '../refusal.ts'

/**
 * Sends a browser that is signed in to a provider, to link the account there to the one here. Only a page of our own can ask
 * for it: a link elsewhere could have somebody's account linked to that of whoever signed them in at the provider before.
 */
export const socialConnect = procedure({
  method: 'GET',
  path: '/api/auth/social/{provider}/connect/',
  summary: 'Link an account at a provider of single sign-on: a redirect to it',
  access: signedIn,
  status: 302,
  query: { next: 'A path of this service to go to afterwards.' },
  handle(request) {
    const { caller, exchange, query } = request
    const provider = providerOf(request, request.params.provider)
    return ledBack(request, provider.id, async () => {
      if (!isOurPage(request, exchange)) throw new Refusal('cross_site')
      if (caller.session === undefined) throw new Refusal('not_signed_in')
      return begin(request, provider, { next: query.next, connect: { user: caller.pk, session: caller.session } })
    })
  },
})

/** A browser says where a link was followed; older ones only by the address of the page, which no other page can feign. */
function isOurPage({ config }: Services, exchange: Exchange): boolean {
  const site = exchange.header('sec-fetch-site')
  if (site === 'same-origin') return true
  const page = URL.parse(exchange.header('referer') ?? '')?.origin
  const ours = [new URL(config.siteUrl).origin, ...(config.corsOrigins === '*' ? [] : config.corsOrigins)]
  return page !== undefined && ours.includes(page)
}
