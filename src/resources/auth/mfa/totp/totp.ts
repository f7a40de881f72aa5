import { Secret, TOTP } from 'otpauth'
import type { Secrets } from '../../../../kit/services/secrets.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'

/** What every authenticator knows to do (RFC 6238): six digits, another code every 30 seconds. */
const FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Steps before and after the present one whose codes are taken too, for clocks that differ. */
const WINDOW = 1

/** How many characters of a name an authenticator is given, so that the longest one still fits a QR code. */
const SHOWN = 40

/** A new secret of 160 bits, in Base32. */
export const newSecret = (): string => new Secret({ size: 20 }).base32

/** The address that an authenticator reads a secret from, `otpauth://totp/...`. */
export function addressOf(secret: string, names: { issuer: string; account: string }): string {
  // a colon stands between the two names, and so cannot stand in them
  const shown = (name: string) => [...name.replaceAll(':', ' ')].slice(0, SHOWN).join('').trim()
  const { issuer, account } = names
  return new TOTP({ ...FORM, secret, issuer: shown(issuer), label: shown(account) }).toString()
}

/** Seals a secret for one account: in the row of another one it does not open (decision 39). */
export const sealSecret = (secrets: Secrets, user: number, secret: string): Buffer => secrets.seal('totp', `${user} ${secret}`)

function openSecret(secrets: Secrets, user: number, sealed: Buffer): string | undefined {
  const [owner, secret] = secrets.open('totp', sealed)?.split(' ') ?? []
  return owner === String(user) ? secret : undefined
}

/** The time step that a code belongs to; undefined when it is wrong, or too old or too new. */
function stepOf(secret: string, code: string): number | undefined {
  const now = { period: FORM.period, timestamp: Date.now() }
  const delta = TOTP.validate({ ...FORM, ...now, token: code, secret: Secret.fromBase32(secret), window: WINDOW })
  return delta === null ? undefined : TOTP.counter(now) + delta
}

/**
 * Takes a code of the secret that an account has confirmed, or is about to confirm: each time step is good once. The account
 * has to be locked, so that of two requests with one code one succeeds. Blanks in the code do not count.
 */
export async function takeCode(
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
  const step = stepOf(secret, token)
  if (step === undefined || step <= factor.last_step) return false
  // sealed anew each time: so it comes under the present secret of the server
  await tx.query('update second_factor set last_step = $2, sealed_secret = $3 where "user" = $1', [
    user,
    step,
    sealSecret(secrets, user, secret),
  ])
  return true
}
