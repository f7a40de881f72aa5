import { procedure } from '../../../../kit/definition/action.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import { findProvider, NEXT_HELP, providerParams, startSignIn } from '../flow.ts'
import { redirectOnError } from '../sign-in-error.ts'

export const socialLogin = procedure({
  method: 'GET',
  path: '/api/auth/social/{provider}/login/',
  summary: 'Sign in with a single sign-on provider',
  description:
    'Redirects the browser to a provider to sign in there; it comes back to `callback/`. An error, such as a provider that is not configured, redirects to `/?sso_error=...`.',
  errors: { not_found: 'The provider does not exist.' },
  throttled: true,
  example: { params: { provider: 'github' }, query: { next: '/' }, status: 404 },
  access: everyone,
  status: 302,
  params: providerParams,
  query: { next: NEXT_HELP },
  handle(request) {
    const provider = findProvider(request, request.params.provider)
    return redirectOnError(request, provider.id, () => startSignIn(request, provider, { next: request.query.next }))
  },
})
