import { procedure, Reply } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { type Caller, signedIn } from '../../../kit/request/caller.ts'
import { invalid, invalidObject, Problem } from '../../../kit/request/problem.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { accountErrors } from '../account-errors.ts'
import { confirmPassword } from '../confirm-password.ts'
import { runWithSecondFactor } from '../mfa/try-code.ts'
import { findConfirmationMethod } from './confirmation-method.ts'
import { CONFIRMATION_MINUTES } from './require-confirmation.ts'

/** See docs/decisions.md#confirming-an-account. */
export const confirmAccount = procedure({
  method: 'POST',
  path: '/api/auth/confirm/',
  summary: 'Confirm the account of the session',
  description: `Confirms that the owner of the account uses the session: with the password or, for an account without one, with a code of its second factor. Operations that grant access require it ${CONFIRMATION_MINUTES} minutes after the sign-in, and then work for ${CONFIRMATION_MINUTES} minutes.`,
  errors: {
    invalid:
      'The password or the code is missing or wrong; the account has neither, and signs in again at its provider; or the request has no session, and needs no confirmation.',
  },
  throttled: true,
  example: { body: { password: 'stockroom' }, status: 400 },
  access: signedIn,
  worksOnFullDisk: true,
  status: 204,
  body: {
    password: input.secret({ help: 'The password of the account.' }),
    code: input.secret({
      max: 64,
      help: 'The code of the authenticator or a recovery code, for an account without a password.',
    }),
  },
  async handle(request) {
    const { caller, body, database, exchange } = request
    if (caller.session === undefined) throw invalidObject(accountErrors.confirmation_without_session)
    const method = await findConfirmationMethod(database, caller)
    if (method === 'sign_in') throw invalidObject(accountErrors.confirmation_by_sign_in)
    if (method === 'code') {
      if (!body.code) throw invalid({ code: [valueErrors.required] })
      await runWithSecondFactor({ ...request, body: { code: body.code } }, ({ tx }) => markConfirmed(tx, caller))
      return new Reply(204)
    }
    try {
      await confirmPassword(request, caller, body.password, exchange.address)
    } catch (error) {
      const isWrong = error instanceof Problem && error.code === 'invalid' && body.password !== undefined
      if (isWrong)
        await database.transaction((tx) =>
          recordEvent({ tx, exchange }, { kind: 'sign_in_failed', user: caller.pk, details: { by: 'confirmation' } }),
        )
      throw error
    }
    await database.transaction((tx) => markConfirmed(tx, caller))
    return new Reply(204)
  },
})

/** @throws Problem 401 when the session has ended in the meantime */
async function markConfirmed(tx: Tx, { session }: Caller): Promise<true> {
  if (!(await tx.first('update user_session set confirmed = now() where pk = $1 returning pk', [session])))
    throw new Problem('not_authenticated')
  return true
}
