import { procedure } from '../../../../kit/definition/action.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { begin, providerOf } from '../flow.ts'
import { ledBack } from '../refusal.ts'

/** Sends the browser to a provider to sign in there (decision 38). */
export const socialLogin = procedure({
  method: 'GET',
  path: '/api/auth/social/{provider}/login/',
  summary: 'Sign in at a provider of single sign-on: a redirect to it',
  access: everyone,
  status: 302,
  query: { next: 'A path of this service to go to afterwards.' },
  handle(request) {
    const provider = providerOf(request, request.params.provider)
    return ledBack(request, provider.id, () => begin(request, provider, { next: request.query.next }))
  },
})
