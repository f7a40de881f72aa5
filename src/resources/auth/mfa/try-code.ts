import * as input from '../../../kit/definition/input.ts'
import type { Caller } from '../../../kit/request/caller.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { accountErrors } from '../account-errors.ts'
import { trySecondFactor } from '../wrong-credentials.ts'
import { requiresSecondFactor, verifySecondFactor } from './verify-code.ts'

/** Body fields of operations that require the second factor. */
export const secondFactorFields = {
  code: input.secret({
    required: true,
    max: 64,
    help: 'The code that the authenticator shows, at most 30 seconds early or late, or a recovery code. Each code works only once.',
  }),
}

/** Errors of operations that require a code. */
export const codeErrorDocs = {
  invalid: 'The code is wrong or was already used, or the account has no second factor.',
  throttled: 'Too many wrong codes: more than 50 an hour, or more than `WRONG_CREDENTIALS` in five minutes from this network.',
}

type SecondFactorRequest = Services & { caller: Caller; exchange: Exchange; body: { code: string } }

/**
 * Checks the code of a request in a transaction; `attempt` returns undefined when it was wrong. Wrong ones are counted and recorded.
 * @throws Problem 400 on `code`, 429
 */
export async function tryCode<Req extends SecondFactorRequest, T>(
  request: Req,
  attempt: (txRequest: Req & { tx: Tx }) => Promise<T | undefined>,
): Promise<T> {
  const { caller, exchange, database } = request
  const result = await trySecondFactor(request, caller.pk, exchange.address, () =>
    database.transaction((tx) => attempt({ ...request, tx })),
  )
  if (result !== undefined) return result
  await database.transaction((tx) => recordEvent({ tx, exchange }, { kind: 'second_factor_failed', user: caller.pk }))
  throw invalid({ code: [accountErrors.invalid_code] })
}

/**
 * Runs `work` in the transaction that uses up a code of the caller's second factor.
 * @throws Problem 400 on `code` or without a second factor, 429
 */
export const runWithSecondFactor = <Req extends SecondFactorRequest, T>(
  request: Req,
  work: (txRequest: Req & { tx: Tx }) => Promise<T>,
): Promise<T> =>
  tryCode(request, async (txRequest) => {
    const { tx, caller, body } = txRequest
    if (!(await requiresSecondFactor(tx, caller.pk))) throw invalidObject(accountErrors.second_factor_missing)
    return (await verifySecondFactor(txRequest, caller.pk, body.code)) ? work(txRequest) : undefined
  })
