import { Type } from 'typebox'
import { procedure } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { everyone } from '../../../kit/request/caller.ts'
import { texts } from '../../../kit/request/errors.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid, invalidObject, Problem } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { liveToken } from '../../user/token/live-token.ts'
import { checkCredentials, type Proven } from '../check-credentials.ts'
import { countSignIn } from '../count-sign-in.ts'
import { asksForSecondFactor, verifySecondFactor } from '../mfa/verify-code.ts'
import { openSession } from '../sessions.ts'
import { completePendingSignIn } from '../social/pending-sign-in.ts'
import { trySecondFactor } from '../wrong-credentials.ts'

type Context = Services & { exchange: Exchange }

/**
 * Opens a session and gives a token, by name or address and password (decisions 13, 30). An account with a second factor
 * is asked for it: 401 `mfa_required`, and the same again with `code` (decision 37). A sign-in at a provider that waits for
 * the code is completed with the code alone.
 */
export const login = procedure({
  method: 'POST',
  path: '/api/auth/login/',
  summary: 'Sign in: a session, and the key of a token',
  access: everyone,
  status: 200,
  body: {
    username: input.text({ max: 150, nullable: true }),
    email: input.email({ nullable: true }),
    password: input.secret(),
    code: input.secret({ max: 64, blank: true }),
  },
  answer: Type.Object({ key: Type.String({ minLength: 50, maxLength: 100 }) }),
  async handle(request) {
    const { exchange, body } = request
    await countSignIn(request)
    if (body.password === undefined && body.code) {
      const key = await completePendingSignIn(request, (account) =>
        enter(request, { ...account, owesSecondFactor: true }, body.code),
      )
      if (key !== undefined) return { key }
    }
    if (body.password === undefined) throw invalid({ password: [texts.required] })
    const identity = body.username ? { username: body.username } : body.email ? { email: body.email } : undefined
    if (!identity) throw invalidObject('Must include "username" or "email", and "password".')
    const found = await checkCredentials(request, identity, body.password, exchange.address)
    if (found) return { key: await enter(request, found, body.code) }
    const username = 'username' in identity ? identity.username : identity.email
    await request.database.transaction((tx) => recordEvent({ tx, exchange }, { kind: 'sign_in_failed', username }))
    throw refused()
  },
})

/** One text for everything that is wrong, so that it tells nothing. */
const refused = () => invalidObject('Unable to log in with provided credentials.')

/** An account whose first factor was right, with the hash of its password then; `owesSecondFactor` when the first alone is not to do. */
type FirstFactor = Proven & { owesSecondFactor?: boolean }

/** Lets an account in whose first factor was right. Gives the key of its token without a name. */
async function enter(context: Context, first: FirstFactor, code: string | undefined): Promise<string> {
  const { database, exchange } = context
  const { pk: user, password, owesSecondFactor } = first
  const attempt = () =>
    database.transaction(async (tx) => {
      const within = { ...context, tx }
      const isAsked = await asksForSecondFactor(tx, user)
      // the account is locked only now: meanwhile its password may have become another
      const isGood = await tx.first('select 1 from user_account where pk = $1 and is_active and password = $2', [user, password])
      // what waited for a code has none to wait for any more
      if (!isGood || (owesSecondFactor && !isAsked)) throw refused()
      if (isAsked && !code) throw new Problem('mfa_required')
      if (isAsked && !(await verifySecondFactor(within, user, code as string))) return undefined
      await openSession(within, user, { secondFactor: isAsked })
      await recordEvent(within, { kind: 'sign_in', user })
      return liveToken(within, user, '')
    })
  const key = await (code ? trySecondFactor(context, user, exchange.address, attempt) : attempt())
  if (key !== undefined) return key.token
  await database.transaction((tx) => recordEvent({ tx, exchange }, { kind: 'sign_in_failed', user, details: { code: 'wrong' } }))
  throw invalid({ code: ['The code is not valid.'] })
}
