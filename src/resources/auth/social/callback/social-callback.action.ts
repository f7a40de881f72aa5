import { procedure } from '../../../../kit/definition/action.ts'
import { everyone } from '../../../../kit/request/caller.ts'
import type { Exchange } from '../../../../kit/request/exchange.ts'
import type { Services } from '../../../../kit/services/services.ts'
import type { Tx } from '../../../../kit/sql/tx.ts'
import type { SsoProvider } from '../../../../single-sign-on.ts'
import { recordEvent } from '../../../user/security-event/record-event.ts'
import { lockAccount } from '../../lock-account.ts'
import { requiresSecondFactor } from '../../mfa/verify-code.ts'
import { notifyAccount } from '../../notify-account.ts'
import { openSession } from '../../sessions.ts'
import { type Flow, findProvider, finishSignIn, providerParams } from '../flow.ts'
import { readGroups, takeGroups } from '../groups.ts'
import type { Identity, Profile } from '../identity.ts'
import { storePendingSignIn } from '../pending-sign-in.ts'
import { redirect, redirectOnError, SignInError } from '../sign-in-error.ts'
import { signUp } from '../sign-up.ts'

/** See docs/decisions.md#single-sign-on. */
export const socialCallback = procedure({
  method: 'GET',
  path: '/api/auth/social/{provider}/callback/',
  summary: 'Complete a single sign-on',
  description:
    'Completes a sign-in at a provider, within ten minutes and once: signs in to the linked account, creates an account if the setting `LOGIN_ENABLE_SSO_REG` allows it, or links the account of the caller. Redirects to `next`; to `/?sso=code_required` if the account has a second factor; to `/?sso_error=...` after an error.',
  errors: { not_found: 'The provider does not exist.' },
  example: { params: { provider: 'github' }, query: { code: 'the-code-of-the-provider', state: 'the-state' }, status: 404 },
  access: everyone,
  status: 302,
  params: providerParams,
  query: {
    code: 'The authorization code of the provider.',
    state: 'The state of the sign-in, which must match the one that the browser took to the provider.',
    iss: 'The issuer, if the provider sends it.',
    error: 'The error of the provider.',
  },
  handle(request) {
    const { config, caller, query } = request
    const provider = findProvider(request, request.params.provider)
    return redirectOnError(request, provider.id, async () => {
      const { flow, identity } = await finishSignIn(request, provider, query)
      const { connect, next } = flow
      if (connect && (caller?.session !== connect.session || caller.pk !== connect.user)) throw new SignInError('not_signed_in')
      const isComplete = await signInOrLink(request, provider, identity, connect).catch(async (error) => {
        if (error instanceof SignInError && !connect) await recordFailure(request, provider, error)
        throw error
      })
      return redirect(config.siteUrl + (isComplete ? next : `/?${new URLSearchParams({ sso: 'code_required', next })}`))
    })
  },
})

type Context = Services & { exchange: Exchange }
type LinkedAccount = { pk: number; user: number; is_active: boolean }

/**
 * Signs in with a proven account at a provider, or links it to `connect`.
 * @returns false when the account still has to enter its second factor
 */
async function signInOrLink(
  context: Context,
  provider: SsoProvider,
  identity: Identity,
  connect?: Flow['connect'],
): Promise<boolean> {
  const { database } = context
  const linkedBefore = await findLinked((text, values) => database.read<LinkedAccount>({ text, values }), identity)
  // no request to the provider during a transaction
  const profile = linkedBefore ? undefined : await identity.profile()
  const groups = connect === undefined ? await readGroups(context, identity) : undefined
  return database.transaction(async (tx) => {
    const txContext = { ...context, tx }
    const key = `social account ${identity.issuer} ${identity.subject}`
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
    const linked = await lockLinked(tx, identity)
    // the account was disconnected since the first look-up
    if (!linked && !profile) throw new SignInError('expired')
    if (linked)
      await tx.query('update social_account set last_login = now(), provider = $2 where pk = $1', [linked.pk, provider.id])
    if (connect === undefined) {
      const account = linked ?? (await createAccount(txContext, provider, identity, profile as Profile))
      if (groups && account.is_active) await takeGroups(txContext, provider, account.user, groups)
      return signIn(txContext, provider, account)
    }
    if (linked && linked.user !== connect.user) throw new SignInError('already_linked')
    await requireSession(tx, connect)
    if (!linked) {
      await linkAccount(txContext, provider, identity, connect.user, (profile as Profile).email)
      await notifyAccount(txContext, connect.user, 'social_linked')
    }
    return true
  })
}

async function findLinked(
  query: (text: string, values: unknown[]) => Promise<LinkedAccount[]>,
  { issuer, subject }: Identity,
): Promise<LinkedAccount | undefined> {
  const text = `select s.pk, s."user", u.is_active from social_account s join user_account u on u.pk = s."user" where s.issuer = $1 and s.uid = $2`
  return (await query(text, [issuer, subject]))[0]
}

/**
 * Reads the linked account once it is locked: while waiting for the lock, its owner may have closed or disconnected it. It cannot be linked
 * again in the meantime, since its subject is already locked.
 */
async function lockLinked(tx: Tx, identity: Identity): Promise<LinkedAccount | undefined> {
  const find = () => findLinked((text, values) => tx.query<LinkedAccount>(text, values), identity)
  const linked = await find()
  if (!linked) return undefined
  await lockAccount(tx, linked.user)
  return find()
}

/** Verifies that the caller is still signed in once the account is locked: a concurrent password change ends the session. */
async function requireSession(tx: Tx, { user, session }: NonNullable<Flow['connect']>): Promise<void> {
  await lockAccount(tx, user)
  const sessionQuery = 'select from user_session where pk = $1 and "user" = $2 and expires > now()'
  if (!(await tx.first(sessionQuery, [session, user]))) throw new SignInError('not_signed_in')
}

async function signIn(
  context: Context & { tx: Tx },
  provider: SsoProvider,
  { user, is_active }: Pick<LinkedAccount, 'user' | 'is_active'>,
): Promise<boolean> {
  if (!is_active) throw new SignInError('inactive', undefined, user)
  if (await requiresSecondFactor(context.tx, user)) {
    await storePendingSignIn(context, user)
    return false
  }
  await openSession(context, user, { secondFactor: false })
  await recordEvent(context, { kind: 'sign_in', user, details: { provider: provider.id } })
  return true
}

/** Only a person known to the provider gets this far: an anonymous caller cannot fill the table. */
async function recordFailure({ database, exchange }: Context, provider: SsoProvider, { code, user }: SignInError): Promise<void> {
  const details = { provider: provider.id, reason: code }
  await database.transaction((tx) => recordEvent({ tx, exchange }, { kind: 'sign_in_failed', user, details }))
}

async function createAccount(
  context: Context & { tx: Tx },
  provider: SsoProvider,
  identity: Identity,
  profile: Profile,
): Promise<Pick<LinkedAccount, 'user' | 'is_active'>> {
  const user = await signUp(context, provider, profile)
  await linkAccount(context, provider, identity, user, profile.email)
  return { user, is_active: true }
}

async function linkAccount(
  context: Context & { tx: Tx },
  provider: SsoProvider,
  { issuer, subject }: Identity,
  user: number,
  email: string,
): Promise<void> {
  await context.tx.query('insert into social_account ("user", provider, issuer, uid, email) values ($1, $2, $3, $4, $5)', [
    user,
    provider.id,
    issuer,
    subject,
    email.slice(0, 254),
  ])
  await recordEvent(context, { kind: 'social_linked', user, details: { provider: provider.id } })
}
