import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { superuser } from '../../../kit/request/caller.ts'
import { invalid, invalidObject, notFound, Problem } from '../../../kit/request/problem.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { confirmationErrorDocs, requireConfirmation } from '../../auth/confirm/require-confirmation.ts'
import { createLink, encodeUid } from '../../auth/links.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import { sendMail } from '../../email/mail.ts'
import { buildPasswordUrl } from '../../email/mail-texts.ts'
import { isMailConfigured } from '../../email/plugin-delivery.ts'
import { requireStillSuperuser } from '../recheck-superuser.ts'
import { recordEvent } from '../security-event/record-event.ts'

/** Lets the owner of another account set a new password, which no one else learns. */
export const createPasswordLink = action({
  method: 'POST',
  path: '/api/user/{id}/password-link/',
  summary: 'Create a link with which the owner of an account sets a new password',
  description:
    'Creates a link that is valid once and for a day, and emails it to the address of the account, or returns it. It is returned only once, and an earlier link becomes invalid. The current password remains valid until the link is used.',
  errors: {
    ...confirmationErrorDocs,
    invalid:
      'The account is inactive; or the link is to be emailed, and the account has no address, or no mail server is configured.',
    permission_denied: "It is the caller's own account; or the caller is not a superuser.",
  },
  example: { params: { id: 2 }, body: { send_mail: false } },
  access: superuser,
  status: 201,
  containsSecret: true,
  body: {
    send_mail: input.boolean({
      default: false,
      label: 'Send by email',
      help: 'Whether to email the link to the address of the account instead of returning it.',
    }),
  },
  response: Type.Object({
    url: Type.Union([Type.String(), Type.Null()], { description: 'The link; null if it is emailed.' }),
  }),
  async run(request) {
    const { tx, pk, caller, body, config } = request
    if (pk === caller.pk) throw new Problem('permission_denied', accountErrors.own_password)
    await requireConfirmation(request)
    if (!(await lockAccount(tx, pk))) throw notFound()
    await requireStillSuperuser(request)
    const account = (await tx.first<{ email: string; is_active: boolean }>(
      'select email, is_active from user_account where pk = $1',
      [pk],
    )) as { email: string; is_active: boolean }
    if (!account.is_active) throw invalidObject(accountErrors.account_inactive)
    if (body.send_mail && account.email === '') throw invalid({ send_mail: [accountErrors.account_without_email] })
    if (body.send_mail && !isMailConfigured(request)) throw invalid({ send_mail: [accountErrors.mail_not_configured] })
    await recordEvent(request, {
      kind: 'password_link_made',
      user: pk,
      actor: caller.pk,
      details: { by_mail: body.send_mail },
    })
    if (body.send_mail) {
      await sendMail(request, { kind: 'password_link', user: pk, address: account.email })
      return { url: null }
    }
    const token = (await createLink(tx, { kind: 'reset', user: pk, address: account.email })) as string
    return { url: buildPasswordUrl({ site: config.siteUrl, uid: encodeUid(pk), token }) }
  },
})
