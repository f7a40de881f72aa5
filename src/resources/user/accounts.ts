import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Caller, Right } from '../../kit/caller.ts'
import { Problem } from '../../kit/problem.ts'
import type { Database } from '../../kit/tx.ts'
import { hashPassword, needsRehash, verifyPassword } from './password.ts'
import { RIGHTS } from './rights.ts'
import { hashKey } from './token/key.ts'

type AccountRow = {
  pk: number
  username: string
  password: string
  is_staff: boolean
  is_superuser: boolean
  is_active: boolean
  groups: number[]
  roles: { name: string; can_view: boolean; can_add: boolean; can_change: boolean; can_delete: boolean }[] | null
  token?: number
  revoked?: boolean
  expired?: boolean
}

const ACCOUNT = `select u.pk, u.username, u.password, u.is_staff, u.is_superuser, u.is_active,
  array(select m."group" from user_group_member m where m."user" = u.pk order by 1) as groups,
  (select json_agg(s) from (
     select r.name, bool_or(r.can_view) as can_view, bool_or(r.can_add) as can_add, bool_or(r.can_change) as can_change, bool_or(r.can_delete) as can_delete
     from rule_set r join user_group_member m on m."group" = r."group" where m."user" = u.pk group by r.name) s) as roles`

const BY_TOKEN = `${ACCOUNT}, t.pk as token, t.revoked, coalesce(t.expiry < current_date, false) as expired
  from api_token t join user_account u on u.pk = t."user" where t.key_hash = $1`

const BY_NAME = `${ACCOUNT} from user_account u where lower(u.username) = lower($1)`

/** How long an account is remembered at most, should a change ever not be heard. */
const REMEMBERED = 60_000

/** A hash no password fits, so that an unknown name takes as long as a wrong password. */
const decoy = hashPassword(randomBytes(16).toString('hex'))

/**
 * Tells who sends a request. Accounts and their rights are remembered in memory and forgotten the moment anything about
 * an account, group or token changes, on any node: `forget` is driven by the database's notifications.
 */
export class Accounts {
  readonly #database: Database
  /** Whether changes are being heard; while they are not, nothing is remembered. */
  readonly #hears: () => boolean
  readonly #known = new LRUCache<string, Caller>({ max: 10_000, ttl: REMEMBERED })
  /** Names what is remembered under a Basic header without keeping its password. */
  readonly #secret = randomBytes(32)
  #generation = 0

  constructor(database: Database, hears: () => boolean) {
    this.#database = database
    this.#hears = hears
  }

  forget(): void {
    this.#generation++
    this.#known.clear()
  }

  /** The account behind an Authorization header, if it was established before and nothing about it has changed since. */
  remembered(authorization: string): Caller | undefined {
    return this.#hears() ? this.#known.get(this.#nameOf(authorization)) : undefined
  }

  /** The account behind an Authorization header; undefined with a scheme that is not ours. Throws 401. */
  async authenticate(authorization: string): Promise<Caller | undefined> {
    const [scheme = '', ...rest] = authorization.trim().split(/\s+/)
    const kind = scheme.toLowerCase()
    if (kind !== 'token' && kind !== 'basic') return undefined
    if (rest.length === 0) throw refused(`Invalid ${kind} header. No credentials provided.`)
    if (rest.length > 1) throw refused(`Invalid ${kind} header. Credentials string should not contain spaces.`)
    const credentials = rest[0] as string
    const generation = this.#generation
    const caller = kind === 'token' ? await this.#byToken(credentials) : await this.#byPassword(credentials)
    if (this.#hears() && generation === this.#generation) this.#known.set(this.#nameOf(authorization), caller)
    return caller
  }

  /** What a header is remembered under. One with a password is not kept: its keyed hash stands for it. */
  #nameOf(authorization: string): string {
    if (/^\s*token\s/i.test(authorization)) return authorization
    return createHmac('sha256', this.#secret).update(authorization).digest('base64')
  }

  async #byToken(key: string): Promise<Caller> {
    const [row] = await this.#database.read<AccountRow>({ text: BY_TOKEN, name: 'account_by_token', values: [hashKey(key)] })
    if (!row) throw refused('Invalid token.')
    if (row.revoked) throw refused('Token has been revoked.')
    if (row.expired) throw refused('Token has expired.')
    if (!row.is_active) throw refused('User inactive or deleted.')
    return { ...callerOf(row), token: row.token }
  }

  async #byPassword(credentials: string): Promise<Caller> {
    const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? []
    if (name === undefined || password === undefined || name.includes('\0'))
      throw refused('Invalid basic header. Credentials not correctly base64 encoded.')
    const [row] = await this.#database.read<AccountRow>({ text: BY_NAME, values: [name] })
    const right = await verifyPassword(password, row?.password || (await decoy))
    if (!row?.password || !right || !row.is_active) throw refused('Invalid username/password.')
    if (needsRehash(row.password)) await this.#rehash(row, password)
    return callerOf(row)
  }

  /** An imported hash is replaced by our own form as soon as the password is known. */
  async #rehash(row: AccountRow, password: string): Promise<void> {
    const hash = await hashPassword(password)
    await this.#database.transaction((tx) =>
      tx.query('update user_account set password = $1 where pk = $2 and password = $3', [hash, row.pk, row.password]),
    )
  }
}

const refused = (text: string) => new Problem('authentication_failed', text, { 'www-authenticate': 'Token, Basic realm="api"' })

function callerOf(row: AccountRow): Caller {
  const roles = new Map<string, ReadonlySet<Right>>()
  for (const rule of row.roles ?? []) roles.set(rule.name, new Set(RIGHTS.filter((right) => rule[`can_${right}`])))
  return { pk: row.pk, username: row.username, isStaff: row.is_staff, isSuperuser: row.is_superuser, roles, groups: row.groups }
}
