import type { FastifyInstance, FastifyReply } from 'fastify'
import { createExchange } from '../../kit/http/http.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { html } from '../../kit/values/write-html.ts'
import { resetPassword } from '../../resources/auth/password/reset/confirm/reset-password.ts'
import { sendPage } from '../page.ts'

const PATH = '/platform/set-password'

/** The page behind the emailed link for a new password. Its form does the same as `password/reset/confirm/`. */
export function registerSetPasswordPage(scope: FastifyInstance, services: Services): void {
  scope.get(PATH, (request, reply) => {
    const { uid, token } = readFields(request.query)
    return sendForm(services, reply, 200, { uid, token })
  })
  scope.post(PATH, async (request, reply) => {
    const fields = readFields(request.body)
    try {
      await resetPassword({ ...services, exchange: createExchange(request, reply) }, fields)
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error
      const passwordErrors = (error.body as { new_password2?: ErrorMessage[] }).new_password2?.map(String)
      if (passwordErrors) return sendForm(services, reply, 400, fields, passwordErrors)
      const text =
        error.code === 'throttled'
          ? 'Too many attempts. Please wait a few minutes.'
          : 'It was already used or has expired. Please request another mail.'
      return sendPage(services, reply.headers(error.headers), error.status, 'This link is no longer valid', html`<p>${text}</p>`)
    }
    return sendPage(services, reply, 200, 'Your password is set', html`<p>You can <a href="/">sign in</a> with it now.</p>`)
  })
}

function sendForm(
  services: Services,
  reply: FastifyReply,
  status: number,
  { uid, token }: { uid: string; token: string },
  passwordErrors: readonly string[] = [],
): FastifyReply {
  const form = html`<form method="post" action="${PATH}">
${passwordErrors.map((text) => html`<p class="wrong">${text}</p>`)}
<input type="hidden" name="uid" value="${uid}"><input type="hidden" name="token" value="${token}">
<label>New password <input type="password" name="new_password1" autocomplete="new-password" maxlength="128" required></label>
<label>Repeat the new password <input type="password" name="new_password2" autocomplete="new-password" maxlength="128" required></label>
<button>Set the password</button></form>`
  return sendPage(services, reply, status, 'Set a new password', form)
}

/** The fields of the form or of the link. Leading and trailing spaces are removed, as in every body with a password. */
function readFields(body: unknown) {
  const values = (body ?? {}) as Record<string, unknown>
  const field = (name: string) => (typeof values[name] === 'string' ? values[name].trim() : '')
  return {
    uid: field('uid'),
    token: field('token'),
    new_password1: field('new_password1'),
    new_password2: field('new_password2'),
  }
}
