import { procedure, Reply } from '../../../kit/definition/action.ts'
import { everyone } from '../../../kit/request/caller.ts'
import { invalid, Problem } from '../../../kit/request/problem.ts'
import { accountErrors } from '../../auth/account-errors.ts'
import { countSignIn } from '../../auth/count-sign-in.ts'
import { useLink } from '../../auth/links.ts'
import { requiresSecondFactor } from '../../auth/mfa/verify-code.ts'
import { openSession } from '../../auth/sessions.ts'
import { storePendingSignIn } from '../../auth/social/pending-sign-in.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'

/** Signs in with an emailed link. */
export const signInByLink = procedure({
  method: 'GET',
  path: '/api/email/login/',
  summary: 'Sign in with an emailed link',
  description:
    'Opens a session with an emailed link, and redirects to `/`. If the account has a second factor, it redirects to `/?mfa_required=true`; complete the sign-in within five minutes by `POST /api/auth/login/` with `code` alone.',
  errors: {
    invalid: 'The link is invalid, already used or expired, reported on `token`.',
    cross_site: 'A page embeds the link, such as an image; it must be opened by navigation.',
  },
  throttled: true,
  example: { query: { token: 'the-token-of-the-mailed-link' }, status: 400 },
  access: everyone,
  containsSecret: true,
  query: { token: 'The secret of the link.' },
  status: 302,
  async handle({ query, exchange, ...services }) {
    const { database, config } = services
    // mail scanners request the links of emails before anyone reads them: that does not use up the link
    if (exchange.method !== 'GET') return new Reply(200)
    // only navigation: a page that embeds the link as an image would sign its reader in as someone else
    if (!['document', undefined].includes(exchange.header('sec-fetch-dest'))) throw new Problem('cross_site')
    await countSignIn({ ...services, exchange })
    const redirectPath = await database.transaction(async (tx) => {
      const context = { ...services, tx, exchange }
      const link = await useLink(tx, 'sign_in', query.token ?? '')
      if (!link) {
        await recordEvent(context, { kind: 'sign_in_failed', details: { link: 'not valid' } })
        return undefined
      }
      if (await requiresSecondFactor(tx, link.user)) {
        await storePendingSignIn(context, link.user)
        return '/?mfa_required=true'
      }
      await openSession(context, link.user, { secondFactor: false })
      await recordEvent(context, { kind: 'sign_in', user: link.user, details: { by: 'link' } })
      return '/'
    })
    if (!redirectPath) throw invalid({ token: [accountErrors.invalid_link] })
    return new Reply(302, undefined, { location: `${config.siteUrl}${redirectPath}`, 'referrer-policy': 'no-referrer' })
  },
})
