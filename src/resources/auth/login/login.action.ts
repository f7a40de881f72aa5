import { Type } from 'typebox'
import { procedure } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { everyone } from '../../../kit/request/caller.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid, invalidObject, Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { ensureLiveToken } from '../../user/token/live-token.ts'
import { accountErrors } from '../account-errors.ts'
import { checkCredentials, type VerifiedAccount } from '../check-credentials.ts'
import { countSignIn } from '../count-sign-in.ts'
import { requiresSecondFactor, verifySecondFactor } from '../mfa/verify-code.ts'
import { openSession } from '../sessions.ts'
import { completePendingSignIn } from '../social/pending-sign-in.ts'
import { trySecondFactor } from '../wrong-credentials.ts'

type Context = Services & { exchange: Exchange }

/** See docs/decisions.md#signing-in. */
export const login = procedure({
  method: 'POST',
  path: '/api/auth/login/',
  summary: 'Sign in and get a session and a token',
  description:
    "Opens a session with the cookie `sessionid`, and returns the account's unnamed token, which is valid for a year. A wrong name and a wrong password give the same error. If the account has a second factor, repeat the request with `code`. If a sign-in by a provider or an emailed link requires the code, send `code` alone.",
  errors: {
    invalid: 'The name, password or code is wrong or missing.',
    mfa_required: 'The account has a second factor: repeat the request with `code`.',
  },
  throttled: true,
  example: { body: { username: 'demo', password: 'stockroom' } },
  access: everyone,
  worksOnFullDisk: true,
  status: 200,
  body: {
    username: input.text({
      max: 150,
      nullable: true,
      help: 'The name or the email address of the account.',
    }),
    email: input.email({
      nullable: true,
      help: 'An email address instead of the name.',
    }),
    password: input.secret({ help: 'The password. Leading and trailing spaces are ignored.' }),
    code: input.secret({
      max: 64,
      blank: true,
      help: 'The code of the authenticator or a recovery code, if the account has a second factor.',
    }),
  },
  response: Type.Object({ key: Type.String({ minLength: 50, maxLength: 100 }) }),
  async handle(request) {
    const { exchange, body } = request
    await countSignIn(request)
    if (body.password === undefined && body.code) {
      const key = await completePendingSignIn(request, (account) =>
        completeSignIn(request, { ...account, owesSecondFactor: true }, body.code),
      )
      if (key !== undefined) return { key }
    }
    if (body.password === undefined) throw invalid({ password: [valueErrors.required] })
    const identity = body.username ? { username: body.username } : body.email ? { email: body.email } : undefined
    if (!identity) throw invalidObject(accountErrors.login_fields_required)
    const matchedAccount = await checkCredentials(request, identity, body.password, exchange.address)
    if (matchedAccount) return { key: await completeSignIn(request, matchedAccount, body.code) }
    const username = 'username' in identity ? identity.username : identity.email
    await request.database.transaction((tx) => recordEvent({ tx, exchange }, { kind: 'sign_in_failed', username }))
    throw loginFailed()
  },
})

/** One error for every failure, so that it reveals nothing. */
const loginFailed = () => invalidObject(accountErrors.login_failed)

/** An account whose first factor was right, with the hash of its password at that time; `owesSecondFactor` when the first alone is not enough. */
type FirstFactor = VerifiedAccount & { owesSecondFactor?: boolean }

/** Signs in an account whose first factor was right. Returns the key of its unnamed token. */
async function completeSignIn(context: Context, firstFactor: FirstFactor, code: string | undefined): Promise<string> {
  const { database, exchange } = context
  const { pk: user, password, owesSecondFactor } = firstFactor
  const attempt = () =>
    database.transaction(async (tx) => {
      const txContext = { ...context, tx }
      const needsCode = await requiresSecondFactor(tx, user)
      // the account is locked only now: its password may have changed since
      const isUnchanged = await tx.first('select 1 from user_account where pk = $1 and is_active and password = $2', [
        user,
        password,
      ])
      // a sign-in that waited for a code no longer has a second factor to check
      if (!isUnchanged || (owesSecondFactor && !needsCode)) throw loginFailed()
      if (needsCode && !code) throw new Problem('mfa_required')
      if (needsCode && !(await verifySecondFactor(txContext, user, code as string))) return undefined
      await openSession(txContext, user, { secondFactor: needsCode })
      await recordEvent(txContext, { kind: 'sign_in', user })
      return ensureLiveToken(txContext, user, '')
    })
  const key = await (code ? trySecondFactor(context, user, exchange.address, attempt) : attempt())
  if (key !== undefined) return key.token
  await database.transaction((tx) => recordEvent({ tx, exchange }, { kind: 'sign_in_failed', user, details: { code: 'wrong' } }))
  throw invalid({ code: [accountErrors.invalid_code] })
}
