import { pbkdf2, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { hash, verify } from '@node-rs/argon2'

/** Maximum length of a password, in characters; a longer one is never correct, so that no client can make the service hash megabytes. */
export const MAX_PASSWORD_LENGTH = 4096

/** Costs of a new hash: argon2id with 19 MiB, two passes, one lane, the minimum that OWASP recommends for log-ins. */
const COSTS = { memoryCost: 19456, timeCost: 2, parallelism: 1 }

/** Limits above which a stored hash is not verified: no system with real log-ins produces it. */
const MAX_ITERATIONS = 2_000_000
const MAX_MEMORY_KIB = 262_144
const MAX_PASSES = 16
const MAX_LANES = 16

const deriveKey = promisify(pbkdf2)

/** Returns the string to store for a password: an argon2id hash with its salt and costs, `$argon2id$v=19$m=...`. */
export function hashPassword(password: string): Promise<string> {
  if (password.length > MAX_PASSWORD_LENGTH) throw new RangeError(`A password has at most ${MAX_PASSWORD_LENGTH} characters.`)
  return hash(password, COSTS)
}

/**
 * Whether the password matches the stored hash: argon2id as written here, or argon2id and PBKDF2-SHA256 as Django wrote them in an imported
 * system. False, never an error, for any other stored string, including the marker of an account without a password.
 */
export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH) return false
  if (stored.startsWith('pbkdf2_sha256$')) return verifyPbkdf2(password, stored)
  const argon2 = readArgon2(stored)
  if (argon2 === null) return false
  return verify(argon2.text, password).catch(() => false)
}

/** Whether any password can match a stored string: an account without a password has an empty one, or a marker. */
export const isUsableHash = (stored: string): boolean => readPbkdf2(stored) !== null || readArgon2(stored) !== null

/** Costs at the beginning of a stored hash: a PostgreSQL pattern for hashes of either form. */
export const COSTS_PATTERN = String.raw`^(?:pbkdf2_sha256\$\d+\$|(?:argon2)?\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$)`

/**
 * Spends the work that a wrong password has not cost yet, so that response times do not distinguish a hash of our own form, an imported
 * one, and a nonexistent account: each costs one hash of our own form, as many rounds of PBKDF2 as the costliest imported one, and the work
 * of the costliest argon2 with other costs.
 * @param stored the hash that the password was compared with
 * @param others the costs of every stored hash, as found by `COSTS_PATTERN`
 */
export async function spendRemainingWork(password: string, stored: string, others: readonly string[]): Promise<void> {
  const truncatedPassword = password.slice(0, MAX_PASSWORD_LENGTH)
  const spent = readExtraCost(stored)
  const costs = others.map(readExtraCost)
  const maxRounds = Math.max(0, ...costs.map(({ rounds }) => rounds))
  const costliest = costs.reduce<Costs | undefined>(
    (costliestYet, { argon2 }) => (computeWork(argon2) > computeWork(costliestYet) ? argon2 : costliestYet),
    undefined,
  )
  if (spent.rounds > 0 || spent.argon2) await hashPassword(truncatedPassword)
  if (maxRounds > spent.rounds) await deriveKey(truncatedPassword, 'time', maxRounds - spent.rounds, 32, 'sha256')
  const remainingWork = computeWork(costliest) - computeWork(spent.argon2)
  if (costliest && remainingWork > 0) {
    const { passes, lanes } = costliest
    await hash(truncatedPassword, {
      timeCost: passes,
      parallelism: lanes,
      memoryCost: Math.max(8 * lanes, Math.round(remainingWork / passes)),
    })
  }
}

type Costs = { memory: number; passes: number; lanes: number }

/** Returns the memory that is processed over all passes; 0 for no costs. */
const computeWork = (costs: Costs | undefined): number => (costs ? costs.memory * costs.passes : 0)

/** Returns the extra cost of a hash over one of our own form, which is 0 rounds and no argon2; the same for a hash that is never verified. */
function readExtraCost(stored: string): { rounds: number; argon2?: Costs } {
  const rounds = Number(/^pbkdf2_sha256\$(\d{1,8})\$/.exec(stored)?.[1] ?? 0)
  if (rounds > 0) return { rounds: rounds > MAX_ITERATIONS ? 0 : rounds }
  const argon2 = readCosts(stored)
  const isOwn = argon2?.memory === COSTS.memoryCost && argon2.passes === COSTS.timeCost && argon2.lanes === COSTS.parallelism
  return { rounds: 0, argon2: isOwn ? undefined : argon2 }
}

/** Whether a hash that a log-in has just verified should be replaced by one of the current form and costs. */
export function needsRehash(stored: string): boolean {
  const argon2 = stored.startsWith('$') ? readArgon2(stored) : null
  return argon2 === null || argon2.memory < COSTS.memoryCost || argon2.passes < COSTS.timeCost
}

type Argon2Hash = Costs & { text: string }

/** Reads an argon2id hash. Django prefixes it with the name of its own class: `argon2$argon2id$v=19$...`. */
function readArgon2(stored: string): Argon2Hash | null {
  const text = stored.startsWith('argon2$') ? stored.slice('argon2'.length) : stored
  const costs = /^[^$]*(\$[^$]*){3}\$[A-Za-z0-9+/]{8,128}\$[A-Za-z0-9+/]{16,256}$/.test(text) ? readCosts(text) : undefined
  return costs ? { text, ...costs } : null
}

/** Reads the costs at the beginning of an argon2id hash; undefined for any other string, and for a hash that is never verified. */
function readCosts(stored: string): Costs | undefined {
  const match = /^(?:argon2)?\$argon2id\$v=19\$m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,3})\$/.exec(stored)
  if (match === null) return undefined
  const [memory = 0, passes = 0, lanes = 0] = match.slice(1).map(Number)
  const isWithinLimits = memory <= MAX_MEMORY_KIB && passes <= MAX_PASSES && lanes <= MAX_LANES
  return isWithinLimits && passes > 0 && lanes > 0 && memory >= 8 * lanes ? { memory, passes, lanes } : undefined
}

type Pbkdf2Hash = { iterations: number; salt: string; key: Buffer }

/** Reads `pbkdf2_sha256$iterations$salt$hash`, the hash 32 bytes in Base64; null for any other string, and for a hash that is never verified. */
function readPbkdf2(stored: string): Pbkdf2Hash | null {
  const match = /^pbkdf2_sha256\$([1-9]\d{0,7})\$([^$]{1,128})\$([A-Za-z0-9+/]{43}=)$/.exec(stored)
  if (match === null) return null
  const [, iterations = '', salt = '', key = ''] = match
  if (Number(iterations) > MAX_ITERATIONS) return null
  return { iterations: Number(iterations), salt, key: Buffer.from(key, 'base64') }
}

async function verifyPbkdf2(password: string, stored: string): Promise<boolean> {
  const expected = readPbkdf2(stored)
  if (expected === null) return false
  const key = await deriveKey(password, expected.salt, expected.iterations, 32, 'sha256')
  return timingSafeEqual(key, expected.key)
}
