import { Type } from 'typebox'
import { action } from '../../../../kit/definition/action.ts'
import * as input from '../../../../kit/definition/input.ts'
import { signedIn } from '../../../../kit/request/caller.ts'
import { invalidObject, notFound } from '../../../../kit/request/problem.ts'
import { setting } from '../../../../settings/live.ts'
import { isUsableHash } from '../../../user/password.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { accountErrors } from '../../account-errors.ts'

/** Existing clients may send it; no token of a provider is stored here that it could revoke. */
const ignored = () => input.secret({ help: 'Ignored: nothing of a provider is stored here.' })

export const disconnect = action({
  method: 'POST',
  path: '/api/auth/social/{id}/disconnect/',
  summary: 'Unlink an account at a single sign-on provider',
  description:
    "Removes the link between an account at a provider and the caller's account, so that it can no longer be used to sign in. The last way to sign in cannot be removed: a usable password, or another linked account at a configured provider, while single sign-on is enabled.",
  errors: { invalid: 'It is the last way to sign in: the account has no password.' },
  example: { params: { id: 1 }, body: {}, status: 404 },
  access: signedIn,
  status: 200,
  body: { access_token: ignored(), code: ignored(), id_token: ignored() },
  response: Type.Object({}),
  async run({ tx, exchange, caller, pk, config, settings }) {
    // two concurrent requests could each remove the account that the other relies on
    const account = await tx.first<{ password: string }>('select password from user_account where pk = $1 for no key update', [
      caller.pk,
    ])
    const linked = await tx.query<{ pk: number; provider: string }>('select pk, provider from social_account where "user" = $1', [
      caller.pk,
    ])
    const linkedAccount = linked.find((candidate) => candidate.pk === pk)
    if (!linkedAccount) throw notFound()
    const usableProviders = setting({ settings }, 'LOGIN_ENABLE_SSO')
      ? config.ssoProviders.filter(({ clientId }) => clientId)
      : []
    const isLast = !linked.some((candidate) => candidate.pk !== pk && usableProviders.some(({ id }) => id === candidate.provider))
    if (isLast && !isUsableHash(account?.password ?? '')) throw invalidObject(accountErrors.password_missing)
    await tx.query('delete from social_account where pk = $1', [pk])
    await recordEvent(
      { tx, exchange },
      { kind: 'social_unlinked', user: caller.pk, details: { provider: linkedAccount.provider } },
    )
    return {}
  },
})
