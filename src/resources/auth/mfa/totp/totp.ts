import { Secret, TOTP } from 'otpauth'
import type { Secrets } from '../../../../kit/services/secrets.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'

/** Parameters that every authenticator supports (RFC 6238): six digits, a new code every 30 seconds. */
const TOTP_PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Steps before and after the current one whose codes are accepted too, for clocks that differ. */
const WINDOW_STEPS = 1

/** Maximum characters of a name in an authenticator, so that the longest one still fits a QR code. */
const MAX_NAME_CHARACTERS = 40

/** Generates a secret of 160 bits, in Base32. */
export const generateSecret = (): string => new Secret({ size: 20 }).base32

/** Builds the URI from which an authenticator reads a secret, `otpauth://totp/...`. */
export function buildTotpUri(secret: string, names: { issuer: string; account: string }): string {
  // a colon separates the two names, so neither may contain one
  const shortenName = (name: string) => [...name.replaceAll(':', ' ')].slice(0, MAX_NAME_CHARACTERS).join('').trim()
  const { issuer, account } = names
  return new TOTP({ ...TOTP_PARAMETERS, secret, issuer: shortenName(issuer), label: shortenName(account) }).toString()
}

/** Encrypts a secret for one account: in the row of another one it cannot be decrypted. */
export const sealSecret = (secrets: Secrets, user: number, secret: string): Buffer => secrets.seal('totp', `${user} ${secret}`)

function openSecret(secrets: Secrets, user: number, sealed: Buffer): string | undefined {
  const [owner, secret] = secrets.open('totp', sealed)?.split(' ') ?? []
  return owner === String(user) ? secret : undefined
}

/** Returns the time step of a code; undefined when it is wrong, too old or too new. */
function findTimeStep(secret: string, code: string): number | undefined {
  const now = { period: TOTP_PARAMETERS.period, timestamp: Date.now() }
  const delta = TOTP.validate({
    ...TOTP_PARAMETERS,
    ...now,
    token: code,
    secret: Secret.fromBase32(secret),
    window: WINDOW_STEPS,
  })
  return delta === null ? undefined : TOTP.counter(now) + delta
}

/**
 * Uses up a code of the secret that an account has confirmed, or is about to confirm: each time step is valid once. The account must be
 * locked, so that only one of two requests with the same code succeeds. Whitespace in the code is ignored.
 */
export async function consumeCode(
  { tx, secrets, log }: Pick<Services, 'secrets' | 'log'> & { tx: Tx },
  user: number,
  code: string,
  { isConfirmed }: { isConfirmed: boolean },
): Promise<boolean> {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return false
  const factor = await tx.first<{ sealed_secret: Buffer; last_step: number }>(
    `select sealed_secret, last_step from second_factor where "user" = $1 and (confirmed is not null) = $2`,
    [user, isConfirmed],
  )
  if (!factor) return false
  const secret = openSecret(secrets, user, factor.sealed_secret)
  if (secret === undefined) {
    log.warn({ account: user }, 'could not decrypt the secret of a second factor (SECRET_KEY, PREVIOUS_SECRET_KEYS)')
    return false
  }
  const step = findTimeStep(secret, token)
  if (step === undefined || step <= factor.last_step) return false
  // encrypted with each use, so that it moves to the server's current secret
  await tx.query('update second_factor set last_step = $2, sealed_secret = $3 where "user" = $1', [
    user,
    step,
    sealSecret(secrets, user, secret),
  ])
  return true
}
