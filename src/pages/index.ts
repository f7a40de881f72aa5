import type { FastifyInstance } from 'fastify'
import { anonymousBodyLimit, noStore } from '../kit/http/http.ts'
import type { Services } from '../kit/services/services.ts'
import { confirmEmailPage } from './accounts/confirm-email.page.ts'
import { readForms } from './page.ts'
import { setPasswordPage } from './platform/set-password.page.ts'

/** The pages that people open from an email. Every other user interface is a client of the API. */
export async function pages(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    readForms(scope, anonymousBodyLimit(services.config))
    // their URLs contain the secret of a link
    scope.addHook('onSend', noStore)
    confirmEmailPage(scope, services)
    setPasswordPage(scope, services)
  })
}
