import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { invalidObject, Problem } from '../../../kit/request/problem.ts'
import { sendMail } from '../../email/mail.ts'
import { serviceErrors } from '../../service-errors.ts'

export const sendTestMail = action({
  method: 'POST',
  path: '/api/web/mail/test/',
  summary: 'Send a test email to the caller',
  description:
    "Sends an email to the primary address of the caller's account, as all emails of the service are sent. `GET /api/web/mail/{id}/` returns the result. Rejected less than `MAIL_AGAIN_SECONDS` after the last one, and after five in an hour.",
  errors: { invalid: 'The account has no email address.' },
  throttled: true,
  access: superuser,
  status: 202,
  response: Type.Object({
    pk: Type.Integer({ description: 'The key of the email.' }),
    address: Type.String({ description: 'The address that it is sent to.' }),
  }),
  async run(request) {
    const { tx, caller, config } = request
    const account = await tx.first<{ email: string }>('select email from user_account where pk = $1', [caller.pk])
    if (!account?.email) throw invalidObject(serviceErrors.test_mail_without_address)
    const pk = await sendMail(request, { kind: 'test', user: caller.pk, address: account.email })
    if (pk === undefined) throw new Problem('throttled', undefined, { 'retry-after': String(config.mailAgainSeconds) })
    return { pk, address: account.email }
  },
})
