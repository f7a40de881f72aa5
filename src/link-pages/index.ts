import type { FastifyInstance } from 'fastify'
import { getAnonymousBodyLimit, preventStorage } from '../kit/http/http.ts'
import type { Services } from '../kit/services/services.ts'
import { registerConfirmEmailPage } from './accounts/confirm-email.page.ts'
import { acceptForms } from './page.ts'
import { registerSetPasswordPage } from './platform/set-password.page.ts'

/** The pages that people open from an email. Every other user interface is a client of the API. */
export async function registerPages(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    acceptForms(scope, getAnonymousBodyLimit(services.config))
    // their URLs contain the secret of a link
    scope.addHook('onSend', preventStorage)
    registerConfirmEmailPage(scope, services)
    registerSetPasswordPage(scope, services)
  })
}
