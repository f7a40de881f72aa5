import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Caller, Right } from '../../kit/request/caller.ts'
import type { Client } from '../../kit/request/exchange.ts'
import { Problem } from '../../kit/request/problem.ts'
import { hashToken } from '../../kit/services/secrets.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { accountErrors } from '../auth/account-errors.ts'
import { checkCredentials, type VerifiedAccount } from '../auth/check-credentials.ts'
import { getSignInRate } from '../auth/count-sign-in.ts'
import { RIGHTS } from './rights.ts'
import { recordEvent } from './security-event/record-event.ts'

type AccountRow = {
  pk: number
  username: string
  is_staff: boolean
  is_superuser: boolean
  is_active: boolean
  second_factor: boolean
  groups: number[]
  roles: { name: string; can_view: boolean; can_add: boolean; can_change: boolean; can_delete: boolean }[] | null
}
type TokenRow = AccountRow & { token: number; read_only: boolean; revoked: boolean; expired: boolean; seen: boolean }
type SessionRow = AccountRow & { session: number; passed: boolean; seen: boolean }

const SELECT_ACCOUNT = `select u.pk, u.username, u.is_staff, u.is_superuser, u.is_active,
  exists (select from second_factor f where f."user" = u.pk and f.confirmed is not null) as second_factor,
  array(select m."group" from user_group_member m where m."user" = u.pk order by 1) as groups,
  (select json_agg(s) from (
     select r.name, bool_or(r.can_view) as can_view, bool_or(r.can_add) as can_add, bool_or(r.can_change) as can_change, bool_or(r.can_delete) as can_delete
     from rule_set r join user_group_member m on m."group" = r."group" where m."user" = u.pk group by r.name) s) as roles`

const SELECT_BY_TOKEN = `${SELECT_ACCOUNT}, t.pk as token, t.read_only, t.revoked, coalesce(t.expiry < current_date, false) as expired,
  coalesce(t.last_seen = current_date, false) as seen
  from api_token t join user_account u on u.pk = t."user" where t.key_hash = $1`

const SELECT_BY_SESSION = `${SELECT_ACCOUNT}, s.pk as session, s.second_factor as passed, s.last_seen > now() - interval '1 hour' as seen
  from user_session s join user_account u on u.pk = s."user" where s.id_hash = $1 and s.expires > now()`

const SELECT_BY_KEY = `${SELECT_ACCOUNT} from user_account u where u.pk = $1`

/** Maximum time that an account is cached, in case a notification is lost. */
const CACHE_TTL_MS = 60_000

/**
 * Identifies the caller of a request. Accounts and their permissions are cached in memory and invalidated as soon as anything about an account,
 * group, token or session changes, on any node: `invalidate` is called on the database's notifications.
 */
export class Accounts {
  readonly #services: Services
  /** Whether change notifications are being received; otherwise nothing is cached. */
  readonly #isListening: () => boolean
  readonly #cache = new LRUCache<string, Caller>({ max: 10_000, ttl: CACHE_TTL_MS })
  /** Key for hashing Basic headers, so that the cache holds no passwords. */
  readonly #secret = randomBytes(32)
  /** Lookups in progress: the password of a client that sends many requests at the same time is checked once. */
  readonly #pending = new Map<string, Promise<Caller | undefined>>()
  #generation = 0

  constructor(services: Services, isListening: () => boolean) {
    this.#services = services
    this.#isListening = isListening
  }

  invalidate(): void {
    this.#generation++
    this.#cache.clear()
  }

  /** Returns the cached account for an Authorization header, if nothing about it has changed since. */
  getCached(authorization: string): Caller | undefined {
    return this.#isListening() ? this.#cache.get(this.#getCacheKey(authorization)) : undefined
  }

  /**
   * Returns the account for an Authorization header; undefined for an unsupported scheme.
   * @param client the client, whose wrong passwords are counted by network address
   * @throws Problem 401, or 429 after too many wrong passwords
   */
  async authenticate(authorization: string, client: Client): Promise<Caller | undefined> {
    const [scheme = '', ...rest] = authorization.trim().split(/\s+/)
    const kind = scheme.toLowerCase()
    if (kind !== 'token' && kind !== 'basic') return undefined
    if (rest.length === 0) throw authenticationError(accountErrors.credentials_missing({ scheme: kind }))
    if (rest.length > 1) throw authenticationError(accountErrors.credentials_with_spaces({ scheme: kind }))
    const credentials = rest[0] as string
    const name = this.#getCacheKey(authorization)
    return this.#shareLookup(`${this.#generation} ${client.address} ${name}`, () =>
      this.#cacheCaller(name, () =>
        kind === 'token' ? this.#findByToken(credentials) : this.#findByPassword(credentials, client),
      ),
    )
  }

  /** Returns the account that is signed in with a session cookie; undefined when the session has ended. */
  async findBySession(id: string): Promise<Caller | undefined> {
    const name = `session ${id}`
    const cachedCaller = this.#isListening() ? this.#cache.get(name) : undefined
    return cachedCaller ?? (await this.#cacheCaller(name, () => this.#findBySession(id)))
  }

  /** Returns the account with this primary key; undefined when there is none, or it is deactivated. */
  async findByKey(pk: number): Promise<Caller | undefined> {
    const [row] = await this.#services.database.read<AccountRow>({ text: SELECT_BY_KEY, name: 'account_by_key', values: [pk] })
    return row?.is_active ? toCaller(row) : undefined
  }

  /**
   * Looks up a caller, or joins a lookup in progress. Its result reflects the state at its beginning, which is still current while changes
   * are received.
   */
  #shareLookup(name: string, find: () => Promise<Caller | undefined>): Promise<Caller | undefined> {
    const pendingLookup = this.#isListening() ? this.#pending.get(name) : undefined
    if (pendingLookup) return pendingLookup
    const lookup = find().finally(() => this.#pending.delete(name))
    this.#pending.set(name, lookup)
    return lookup
  }

  async #cacheCaller<Result extends Caller | undefined>(name: string, find: () => Promise<Result>): Promise<Result> {
    const generation = this.#generation
    const caller = await find()
    if (caller && this.#isListening() && generation === this.#generation) this.#cache.set(name, caller)
    return caller
  }

  /** Returns the cache key of a header. A header with a password is replaced by its keyed hash. */
  #getCacheKey(authorization: string): string {
    if (/^\s*token\s/i.test(authorization)) return authorization
    return createHmac('sha256', this.#secret).update(authorization).digest('base64')
  }

  async #findByToken(key: string): Promise<Caller> {
    const { database } = this.#services
    const [row] = await database.read<TokenRow>({ text: SELECT_BY_TOKEN, name: 'account_by_token', values: [hashToken(key)] })
    if (!row) throw authenticationError(accountErrors.invalid_token)
    if (row.revoked) throw authenticationError(accountErrors.token_revoked)
    if (row.expired) throw authenticationError(accountErrors.token_expired)
    if (!row.is_active) throw authenticationError(accountErrors.account_inactive)
    if (!row.seen)
      await database.read({ text: 'update api_token set last_seen = current_date where pk = $1', values: [row.token] })
    return { ...toCaller(row), token: row.token, isReadOnly: row.read_only }
  }

  async #findBySession(id: string): Promise<Caller | undefined> {
    const { database } = this.#services
    const [row] = await database.read<SessionRow>({
      text: SELECT_BY_SESSION,
      name: 'account_by_session',
      values: [hashToken(id)],
    })
    if (!row?.is_active) return undefined
    // a session that was opened without the account's second factor is invalid
    if (row.second_factor && !row.passed) return undefined
    if (!row.seen) await database.read({ text: 'update user_session set last_seen = now() where pk = $1', values: [row.session] })
    return { ...toCaller(row), session: row.session, passedSecondFactor: row.passed }
  }

  async #findByPassword(credentials: string, client: Client): Promise<Caller> {
    const [, name, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString('utf8')) ?? []
    if (name === undefined || password === undefined || name.includes('\0'))
      throw authenticationError(accountErrors.credentials_not_base64)
    const account = await this.#checkPassword(name, password, client)
    const [row] = await this.#services.database.read<AccountRow>({
      text: SELECT_BY_KEY,
      name: 'account_by_key',
      values: [account.pk],
    })
    if (!row?.is_active) throw authenticationError(accountErrors.invalid_basic_credentials)
    // an account with a second factor cannot sign in with the first alone
    if (row.second_factor) throw new Problem('mfa_required', accountErrors.second_factor_account)
    return { ...toCaller(row), passwordDigest: hashToken(account.password).toString('hex') }
  }

  /** Checks a password. Trying one password for many names is limited as well. Correct passwords are not counted. */
  async #checkPassword(username: string, password: string, client: Client): Promise<VerifiedAccount> {
    const { throttle, config, database } = this.#services
    const account = await throttle.attempt('wrong_basic', getSignInRate(config), client.address, () =>
      checkCredentials(this.#services, { username }, password, client.address),
    )
    if (account) return account
    await database.transaction((tx) =>
      recordEvent({ tx, exchange: client }, { kind: 'sign_in_failed', username, details: { by: 'basic' } }),
    )
    throw authenticationError(accountErrors.invalid_basic_credentials)
  }
}

const authenticationError = (message: ErrorMessage) =>
  new Problem('authentication_failed', message, { 'www-authenticate': 'Token, Basic realm="api"' })

function toCaller(row: AccountRow): Caller {
  const roles = new Map<string, ReadonlySet<Right>>()
  for (const rule of row.roles ?? []) roles.set(rule.name, new Set(RIGHTS.filter((right) => rule[`can_${right}`])))
  return {
    pk: row.pk,
    username: row.username,
    isStaff: row.is_staff,
    isSuperuser: row.is_superuser,
    roles,
    groups: row.groups,
    hasSecondFactor: row.second_factor,
    passedSecondFactor: false,
  }
}
