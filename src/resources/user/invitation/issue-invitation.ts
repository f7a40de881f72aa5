import { Type } from 'typebox'
import * as input from '../../../kit/definition/input.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { sendMail } from '../../email/mail.ts'
import { buildInvitationUrl } from '../../email/mail-texts.ts'
import { isMailConfigured } from '../../email/plugin-delivery.ts'
import { createInvitationToken } from './invitation-token.ts'

/** Limits of the lifetime of a link, in days. */
const DAYS = { default: 7, min: 1, max: 30 }

/** Body fields that say how the link of an invitation reaches the invited person, and how long it is valid. */
export const linkFields = {
  send_mail: input.boolean({
    default: false,
    label: 'Send by email',
    help: 'Whether to email the link to the address of the invitation instead of returning it.',
  }),
  days: input.integer({ ...DAYS, label: 'Valid for days', help: 'The number of days for which the link is valid.' }),
}

/** The response with the link of an invitation. */
export const issuedSchema = Type.Object({
  pk: Type.Integer({ description: 'The primary key.' }),
  email: Type.String({ description: 'The address of the invited person; empty if it is unknown.' }),
  expires: Type.String({ format: 'date-time', description: 'When the link expires.' }),
  url: Type.Union([Type.String(), Type.Null()], { description: 'The link, which is returned only once; null if it is emailed.' }),
})

/**
 * Checks whether a link can be mailed.
 * @throws Problem 400 when there is no address, or no mail server
 */
export function checkMail(services: Pick<Services, 'config' | 'plugins' | 'settings'>, email: string): void {
  if (email === '') throw invalid({ email: [valueErrors.required] })
  if (!isMailConfigured(services)) throw invalid({ send_mail: [accountErrors.mail_not_configured] })
}

/** Issues the link of an invitation, which must be new or locked: emails it, or returns it. An earlier link becomes invalid. */
export async function issueInvitation(
  context: Services & { tx: Tx; exchange: Exchange },
  pk: number,
  { send_mail, days }: { send_mail: boolean; days: number },
) {
  const { tx, config } = context
  // an email that was not sent yet would make the new link invalid
  await tx.query(`delete from outgoing_mail where invitation = $1 and state = 'queued'`, [pk])
  const row = (await tx.first<{ pk: number; email: string; expires: string }>(
    `update invitation set token_hash = null, is_mailed = $2, expires = now() + make_interval(days => $3) where pk = $1
     returning pk, email, to_char(expires, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as expires`,
    [pk, send_mail, days],
  )) as { pk: number; email: string; expires: string }
  if (send_mail) {
    await sendMail(context, { kind: 'invitation', invitation: pk, address: row.email })
    return { ...row, url: null }
  }
  return { ...row, url: buildInvitationUrl(config.siteUrl, await createInvitationToken(tx, pk)) }
}
