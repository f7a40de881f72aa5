import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'
import { sendMail } from '../../email/mail.ts'

/**
 * Returns why the settings prevent a registration with this address: they may require an address (LOGIN_MAIL_REQUIRED), or restrict its
 * domain (LOGIN_SIGNUP_MAIL_RESTRICTION). Undefined if allowed.
 */
export function checkSignUpAddress(context: Pick<Services, 'settings'>, email: string): 'missing' | 'other domain' | undefined {
  const domains = setting(context, 'LOGIN_SIGNUP_MAIL_RESTRICTION').split(',').filter(Boolean)
  if (email === '') return domains.length || setting(context, 'LOGIN_MAIL_REQUIRED') ? 'missing' : undefined
  const isAllowedDomain = domains.length === 0 || domains.some((domain) => email.toLowerCase().endsWith(domain.toLowerCase()))
  return isAllowedDomain ? undefined : 'other domain'
}

/**
 * Gives the new account its address, not verified yet. Neither the response nor anything that the account can request later reveals whether
 * another account has the address: the only difference is the email, which notifies its owner instead of asking for a confirmation.
 */
export async function addSignUpAddress(context: Services & { tx: Tx }, user: number, email: string): Promise<void> {
  const { tx } = context
  await tx.query('insert into email_address ("user", email, "primary") values ($1, $2, true)', [user, email])
  const owner = await findOtherOwner(tx, email, user)
  if (owner) await sendMail(context, { kind: 'address_taken', ...owner })
  else await sendMail(context, { kind: 'verify', user, address: email })
}

/**
 * Returns the account that an address is known to belong to: the one that has verified it, or that an administrator gave it to.
 * @param except account to ignore
 */
export function findOtherOwner(tx: Tx, email: string, except?: number): Promise<{ user: number; address: string } | undefined> {
  return tx.first(
    `select u.pk as user, coalesce(e.email, u.email) as address from user_account u
     left join email_address e on e."user" = u.pk and lower(e.email) = lower($2::text collate "C")
     where u.pk is distinct from $1 and (e.verified or (e.pk is null and lower(u.email) = lower($2::text collate "C")))
     order by e.verified desc nulls last, u.pk limit 1`,
    [except ?? null, email],
  )
}
