import type { FastifyInstance } from 'fastify'
import { createExchange } from '../../kit/http/http.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import { html } from '../../kit/values/write-html.ts'
import { confirmAddress } from '../../resources/auth/registration/verify-email/confirm-address.ts'
import { sendPage } from '../page.ts'

const PATH = '/accounts/confirm-email/:key/'
type Route = { Params: { key: string } }

/**
 * The page behind the emailed link that confirms an email address. Opening it has no effect, since mail scanners open links too: only its
 * button confirms the address.
 */
export function registerConfirmEmailPage(scope: FastifyInstance, services: Services): void {
  scope.get<Route>(PATH, (_request, reply) =>
    sendPage(
      services,
      reply,
      200,
      'Confirm your email address',
      html`<form method="post"><p>Is this your email address? Then confirm it.</p><button>Confirm</button></form>`,
    ),
  )
  scope.post<Route>(PATH, async (request, reply) => {
    try {
      await confirmAddress({ ...services, exchange: createExchange(request, reply) }, request.params.key)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      const text =
        error.code === 'throttled'
          ? 'Too many attempts. Please wait a few minutes.'
          : 'It was already used, has expired, or the address is already confirmed. You can request another mail.'
      return sendPage(services, reply.headers(error.headers), error.status, 'This link is no longer valid', html`<p>${text}</p>`)
    }
    return sendPage(services, reply, 200, 'Thank you', html`<p>Your email address is confirmed.</p>`)
  })
}
