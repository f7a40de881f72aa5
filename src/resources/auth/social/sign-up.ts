import { randomInt } from 'node:crypto'
import { isEmail } from '../../../kit/definition/input.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'
import type { SsoProvider } from '../../../single-sign-on.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { addAddress } from '../emails/addresses.ts'
import { addSignUpAddress, checkSignUpAddress, findOtherOwner } from '../registration/sign-up-address.ts'
import { joinSignUpGroup } from '../registration/sign-up-group.ts'
import { isNameTaken } from '../registration/username-rules.ts'
import type { Profile } from './identity.ts'
import { SignInError } from './sign-in-error.ts'

type Context = Services & { tx: Tx; exchange: Exchange }

/**
 * Creates an account, without a password, for a user who signed in at a provider. An address never leads to an existing account: its owner
 * signs in to it and links it (docs/decisions.md#single-sign-on).
 * @returns its primary key
 * @throws SignInError `registration_closed`, `address_missing`, `address_refused`, `address_taken`
 */
export async function signUp(context: Context, provider: SsoProvider, profile: Profile): Promise<number> {
  const { tx } = context
  if (!setting(context, 'LOGIN_ENABLE_SSO_REG')) throw new SignInError('registration_closed')
  const { names, email, isVerified } = filterProfile(context, profile)
  const problem = checkSignUpAddress(context, email)
  if (problem === 'missing') throw new SignInError('address_missing')
  // an unverified address does not qualify for a restriction to certain domains
  const isRestricted = setting(context, 'LOGIN_SIGNUP_MAIL_RESTRICTION') !== ''
  if (problem === 'other domain' || (isRestricted && !isVerified)) throw new SignInError('address_refused')
  // only the proven owner of an address may learn that there is an account
  if (isVerified && (await findOtherOwner(tx, email))) throw new SignInError('address_taken')

  const username = await findAvailableName(tx, [...names, provider.id])
  const account = (await tx.first<{ pk: number }>(
    `insert into user_account (username, password, email) values ($1, '', $2) returning pk`,
    [username, isVerified ? '' : email],
  )) as { pk: number }
  await joinSignUpGroup(context, account.pk)
  await recordEvent(context, { kind: 'registered', user: account.pk, details: { provider: provider.id } })
  if (isVerified) await addAddress(context, account.pk, email, { primary: true, proven: true })
  else if (email !== '') await addSignUpAddress(context, account.pk, email)
  return account.pk
}

/** Filters the name and address by the setting that allows using them. */
function filterProfile(context: Context, { names, email, isVerified }: Profile): Profile {
  if (!setting(context, 'LOGIN_SIGNUP_SSO_AUTO')) return { names: [], email: '', isVerified: false }
  return isEmail(email) ? { names, email, isVerified } : { names, email: '', isVerified: false }
}

/** Returns the first available name, with a number appended if all are taken. */
async function findAvailableName(tx: Tx, names: readonly string[]): Promise<string> {
  const base = names.map(toUsername).find((name) => name !== '') as string
  for (let number = 1; number < 20; number++) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!(await isNameTaken(tx, name))) return name
  }
  return `${base}-${randomInt(10 ** 9, 10 ** 10)}`
}

/** Reduces a name to the characters of user names here; of an address, to the part before its @. */
const toUsername = (name: string): string =>
  (name.split('@', 1)[0] as string)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .trim()
    .replaceAll(/\s+/g, '.')
    .replaceAll(/[^A-Za-z0-9.+_-]/g, '')
    .slice(0, 100)
