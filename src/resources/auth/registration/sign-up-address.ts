import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { sendMail } from '../../../mail/mail.ts'
import { setting } from '../../settings/live.ts'

/**
 * Whether the settings let somebody with this address make an account: they may ask for one (LOGIN_MAIL_REQUIRED), or for one of
 * certain domains (LOGIN_SIGNUP_MAIL_RESTRICTION). Undefined: they do.
 */
export function addressProblem(context: Pick<Services, 'settings'>, email: string): 'missing' | 'other domain' | undefined {
  const domains = setting(context, 'LOGIN_SIGNUP_MAIL_RESTRICTION').split(',').filter(Boolean)
  if (email === '') return domains.length || setting(context, 'LOGIN_MAIL_REQUIRED') ? 'missing' : undefined
  const fits = domains.length === 0 || domains.some((domain) => email.toLowerCase().endsWith(domain.toLowerCase()))
  return fits ? undefined : 'other domain'
}

/**
 * Gives the new account its address, not verified yet. Neither the answer nor anything that the account can ask for later tells
 * whether somebody else has the address: the only difference is the mail, which tells its owner instead of asking for a
 * confirmation (decision 31).
 */
export async function giveAddress(context: Services & { tx: Tx }, user: number, email: string): Promise<void> {
  const { tx } = context
  await tx.query('insert into email_address ("user", email, "primary") values ($1, $2, true)', [user, email])
  const owner = await ownerAmongOthers(tx, email, user)
  if (owner) await sendMail(context, { kind: 'address_taken', ...owner })
  else await sendMail(context, { kind: 'verify', user, address: email })
}

/**
 * The account that an address is known to belong to: it has verified it, or whoever runs the service gave it to it.
 * @param except an account that is not meant
 */
export function ownerAmongOthers(tx: Tx, email: string, except?: number): Promise<{ user: number; address: string } | undefined> {
  return tx.first(
    `select u.pk as user, coalesce(e.email, u.email) as address from user_account u
     left join email_address e on e."user" = u.pk and lower(e.email) = lower($2::text collate "C")
     where u.pk is distinct from $1 and (e.verified or (e.pk is null and lower(u.email) = lower($2::text collate "C")))
     order by e.verified desc nulls last, u.pk limit 1`,
    [except ?? null, email],
  )
}
