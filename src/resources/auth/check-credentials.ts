import { randomBytes } from 'node:crypto'
import type { Services } from '../../kit/services/services.ts'
import { invalidateAccounts } from '../user/invalidate-accounts.ts'
import {
  COSTS_PATTERN,
  hashPassword,
  isUsableHash,
  MAX_PASSWORD_LENGTH,
  needsRehash,
  spendRemainingWork,
  verifyPassword,
} from '../user/password.ts'
import { tryCredentials } from './wrong-credentials.ts'

/** The user name or email address in a sign-in. */
export type Identity = { username: string } | { email: string }

/** An account, and the stored hash that the password matched: valid for sign-in as long as the account still has that hash. */
export type VerifiedAccount = { pk: number; password: string }

type AccountRow = { pk: number; password: string; is_active: boolean }

/** A hash that no password matches, so that an unknown name takes as long as a wrong password. */
const decoyHash = hashPassword(randomBytes(16).toString('hex'))

/**
 * Returns the active account for a name or address and its password; undefined for a wrong name and a wrong password alike, after the same
 * time whatever the format of the stored hash. An imported hash is replaced by our own format.
 * @param address of the client: the number of failures per address and account is limited
 * @throws Problem 429 when the limit is exceeded
 */
export async function checkCredentials(
  services: Services,
  identity: Identity,
  password: string,
  address: string,
): Promise<VerifiedAccount | undefined> {
  return tryCredentials(services, getThrottleKey(identity), address, () => verifyAccount(services, identity, password))
}

/**
 * Returns the key for counting wrong passwords: the name or address as typed, never the account it belongs to. A count shared by two
 * spellings would reveal that there is an account.
 */
export const getThrottleKey = (identity: Identity): string =>
  'username' in identity ? `name:${toLowerAscii(identity.username)}` : `mail:${toLowerAscii(identity.email)}`

/** Lowercases as the database does for names and addresses: only the letters A to Z. */
const toLowerAscii = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

async function verifyAccount(services: Services, identity: Identity, password: string): Promise<VerifiedAccount | undefined> {
  const account = await findAccount(services, identity)
  // an unusable hash, and a password that is too long, take the same path as an unknown name
  const isPossible = account !== undefined && isUsableHash(account.password) && password.length <= MAX_PASSWORD_LENGTH
  const stored = isPossible ? account.password : await decoyHash
  const isCorrect = await verifyPassword(password.slice(0, MAX_PASSWORD_LENGTH), stored)
  if (isPossible && isCorrect && account.is_active) {
    if (!needsRehash(stored)) return { pk: account.pk, password: stored }
    // if another request was first, the hash that it stored is checked instead
    return (await rehash(services, account, password)) ?? verifyAccount(services, identity, password)
  }
  await spendRemainingWork(password, stored, await storedCosts(services))
  return undefined
}

/** Finds an account by its name or address: of several accounts with an address, the one that has verified it. */
async function findAccount({ database }: Services, identity: Identity): Promise<AccountRow | undefined> {
  const columns = 'u.pk, u.password, u.is_active'
  if ('username' in identity) {
    const text = `select ${columns} from user_account u where lower(u.username) = lower($1::text collate "C")`
    return (await database.read<AccountRow>({ text, name: 'credentials_by_name', values: [identity.username] }))[0]
  }
  const text = `select ${columns}, bool_or(owner.verified) as verified from user_account u
    join (select "user", verified from email_address where lower(email) = lower($1::text collate "C")
          union all select pk, false from user_account where lower(email) = lower($1::text collate "C")) owner on owner."user" = u.pk
    group by u.pk`
  const all = await database.read<AccountRow & { verified: boolean }>({ text, values: [identity.email] })
  return all.find(({ verified }) => verified) ?? (all.length === 1 ? all[0] : undefined)
}

/** Returns the costs of the stored hashes: all of one format once the imported ones are replaced. */
async function storedCosts({ database }: Services): Promise<string[]> {
  const text = 'select distinct substring(password from $1) as costs from user_account'
  const rows = await database.read<{ costs: string | null }>({ text, name: 'stored_costs', values: [COSTS_PATTERN] })
  return rows.flatMap(({ costs }) => costs ?? [])
}

async function rehash(
  services: Services,
  { pk, password: oldHash }: AccountRow,
  password: string,
): Promise<VerifiedAccount | undefined> {
  const hash = await hashPassword(password)
  return services.database.transaction((tx) => {
    // callers cached after signing in with the password still have the previous hash
    invalidateAccounts({ ...services, tx })
    return tx.first<VerifiedAccount>(
      'update user_account set password = $1 where pk = $2 and password = $3 returning pk, password',
      [hash, pk, oldHash],
    )
  })
}
