import { Type } from 'typebox'
import { action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { invalid, Problem } from '../../../kit/request/problem.ts'
import { holdsHtml } from '../../../kit/values/html.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { asksForSecondFactor } from '../../auth/mfa/verify-code.ts'
import { requireLiveAccess } from '../../auth/sessions.ts'
import { liveToken } from './live-token.ts'

/** Decision 37. */
export const readToken = action({
  method: 'GET',
  path: '/api/user/token/',
  summary: 'The token of this name, made on first request',
  description:
    'The key of your live token of this name, and its last day; asked for again, it is the same. Where there is none, one is made that is good for a year. Send it as `Authorization: Token <key>`.',
  refuses: {
    invalid: 'The name holds HTML, or the account has 100 live tokens already.',
    mfa_required: 'The account has a second factor, and the request does not belong to a session that was opened with it.',
  },
  example: { query: { name: 'scanner' } },
  access: signedIn,
  unsafe: true,
  holdsSecret: true,
  query: { name: 'The name of the token, cut at 100 characters, blanks as hyphens; let every program use one of its own.' },
  answer: Type.Object({
    token: Type.String({ minLength: 50, maxLength: 100, description: 'The key that requests are sent with.' }),
    name: Type.String({ description: 'The name of the token as it is kept.' }),
    expiry: Type.String({ format: 'date', description: 'The last day on which it is good, in UTC.' }),
  }),
  async run(request) {
    const { tx, caller, query } = request
    const name = readName(query.name ?? '')
    const isAsked = await asksForSecondFactor(tx, caller.pk)
    await requireLiveAccess(tx, caller)
    if (isAsked && !caller.passedSecondFactor) throw new Problem('mfa_required', accountErrors.second_factor_for_token)
    const { token, expiry } = await liveToken(request, caller.pk, name)
    return { token, name, expiry }
  },
})

/** A name as it is kept: trimmed, without control characters, blanks as hyphens, at most 100 characters. */
function readName(given: string): string {
  if (holdsHtml(given)) throw invalid({ name: [valueErrors.html_not_allowed] })
  return given.trim().replaceAll(/\p{C}/gu, '').replaceAll(/\s/g, '-').slice(0, 100)
}
