import { Type } from 'typebox'
import { procedure } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { invalidObject } from '../../../../kit/request/problem.ts'
import { instanceName } from '../../../../settings/instance-name.ts'
import { invalidateAccounts } from '../../../user/invalidate-accounts.ts'
import { accountErrors } from '../../account-errors.ts'
import { confirmPassword } from '../../confirm-password.ts'
import { requiresSecondFactor } from '../verify-code.ts'
import { buildTotpUri, generateSecret, sealSecret } from './totp.ts'

export const startTotp = procedure({
  method: 'POST',
  path: '/api/auth/mfa/totp/',
  summary: 'Start to enroll an authenticator as second factor',
  description:
    'Returns a new secret for an authenticator (TOTP: six digits, every 30 seconds), which is shown only once. It has no effect until it is confirmed with the first code; starting again makes the previous secret invalid.',
  errors: {
    invalid: 'The password is missing or wrong, or the account already has a second factor.',
    permission_denied: 'The account has no password, and the request does not belong to a session.',
    throttled: 'Too many wrong passwords.',
  },
  example: { body: { password: 'stockroom' } },
  access: signedIn,
  body: {
    password: input.secret({ help: 'The password of the account. An account without a password needs a session instead.' }),
  },
  response: Type.Object({
    secret: Type.String({ description: 'The secret in Base32, for manual entry.' }),
    url: Type.String({ description: 'The secret as an otpauth:// URI.' }),
    qr: Type.String({ description: 'The URI as a QR code: an SVG image, as a data: URI.' }),
  }),
  async handle(request) {
    const { caller, body, database, exchange, secrets } = request
    await confirmPassword(request, caller, body.password, exchange.address)
    const secret = generateSecret()
    await database.transaction(async (tx) => {
      if (await requiresSecondFactor(tx, caller.pk)) throw invalidObject(accountErrors.second_factor_enrolled)
      invalidateAccounts({ ...request, tx })
      await tx.query(
        `insert into second_factor ("user", sealed_secret) values ($1, $2) on conflict ("user")
         do update set sealed_secret = excluded.sealed_secret, last_step = 0, created = now()`,
        [caller.pk, sealSecret(secrets, caller.pk, secret)],
      )
    })
    const url = buildTotpUri(secret, { issuer: instanceName(request), account: caller.username })
    return { secret, url, qr: await drawQrCode(url) }
  },
})

/** Draws a string as a QR code, with the quiet zone of four modules that scanners need. */
async function drawQrCode(text: string): Promise<string> {
  const { toSVG } = await import('bwip-js/node')
  const svg = toSVG({ bcid: 'qrcode', text, scale: 2, padding: 8, backgroundcolor: 'FFFFFF' })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
