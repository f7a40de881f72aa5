import { Type } from 'typebox'
import { procedure, Reply } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { everyone } from '../../../kit/request/caller.ts'
import type { Errors } from '../../../kit/request/errors.ts'
import type { Exchange } from '../../../kit/request/exchange.ts'
import { invalid, invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { setting } from '../../../settings/live.ts'
import { hashPassword } from '../../user/password.ts'
import { recordEvent } from '../../user/security-event/record-event.ts'
import { ensureLiveToken } from '../../user/token/live-token.ts'
import { accountErrors } from '../account-errors.ts'
import { PASSWORD_HELP, PASSWORD_MISMATCH } from '../password/new-password.ts'
import { validatePassword } from '../password/password-rules.ts'
import { openSession } from '../sessions.ts'
import { checkSetupCode, useSetupCode } from './setup-code.ts'
import { addSignUpAddress, checkSignUpAddress } from './sign-up-address.ts'
import { joinSignUpGroup } from './sign-up-group.ts'
import { createUsernameInput, isNameTaken, NAME_TAKEN, USERNAME_HELP } from './username-rules.ts'

type Context = Services & { exchange: Exchange }
type Registration = { username: string; password1: string; password2: string; email?: string; setup_code?: string }

/** See docs/decisions.md#registration. For existing clients it opens a session instead of returning a key. */
export const register = procedure({
  method: 'POST',
  path: '/api/auth/registration/',
  summary: 'Register',
  description:
    'Creates an account in the group that the setting `SIGNUP_GROUP` names, and returns its token. Sends a verification link to the address; if another account has it, the response is the same, and that account is notified by email instead.',
  errors: { invalid: 'A field breaks a rule, the name is already in use, or the setting `LOGIN_ENABLE_REG` is off.' },
  throttled: true,
  example: {
    body: {
      username: 'apprentice',
      password1: 'seven blue horses',
      password2: 'seven blue horses',
      email: 'lena@songbird.example',
    },
  },
  access: everyone,
  status: 201,
  body: {
    username: createUsernameInput({ required: true, help: USERNAME_HELP }),
    password1: input.secret({ required: true, help: PASSWORD_HELP }),
    password2: input.secret({ required: true, help: 'The password again.' }),
    email: input.email({
      help: 'The email address of the account; it may be empty unless the service requires one.',
    }),
    setup_code: input.secret({
      blank: true,
      max: 100,
      help: 'The setup code from the startup log, which makes this account a superuser while there is none; empty for an ordinary account.',
    }),
  },
  response: Type.Object({ key: Type.String({ minLength: 50, maxLength: 100 }) }),
  async handle(request) {
    const { throttle, config, exchange, database } = request
    const body = request.body as Registration
    await throttle.count('registration', { points: config.registrationRate, seconds: 60 }, exchange.address, exchange)
    await checkFields(request, body)
    if (!setting(request, 'LOGIN_ENABLE_REG')) throw invalidObject(accountErrors.registration_closed)
    if (body.setup_code) await checkSetupCode(request, body.setup_code)
    const hash = await hashPassword(body.password1)
    return database.transaction(async (tx) => {
      const context = { ...request, tx }
      const user = await createAccount(context, body, hash)
      if (!config.wire.registrationOpensSession) return new Reply(201, { key: (await ensureLiveToken(context, user, '')).token })
      await openSession(context, user, { secondFactor: false })
      return new Reply(204)
    })
  },
})

/** Validates the fields without looking up existing accounts. All errors are reported together. */
async function checkFields(context: Context, { username, password1, password2, email = '' }: Registration): Promise<void> {
  const errors: Errors = {}
  const problems = await validatePassword(password1, { username, email })
  if (problems.length) errors.password1 = problems
  const problem = checkSignUpAddress(context, email)
  if (problem === 'missing') errors.email = [valueErrors.required]
  if (problem === 'other domain') errors.email = [accountErrors.email_domain_not_allowed]
  if (password1 !== password2) errors.non_field_errors = [PASSWORD_MISMATCH]
  if (Object.keys(errors).length) throw invalid(errors)
}

/** @throws Problem 400 when the name is taken, or the setup code is no longer valid */
async function createAccount(
  context: Context & { tx: Tx },
  { username, email = '', setup_code }: Registration,
  hash: string,
): Promise<number> {
  const { tx } = context
  const isFirst = Boolean(setup_code)
  if (isFirst) await useSetupCode(tx)
  if (await isNameTaken(tx, username)) throw invalid({ username: [NAME_TAKEN] })
  const account = await tx.first<{ pk: number }>(
    `insert into user_account (username, password, email, is_staff, is_superuser) values ($1, $2, $3, $4, $4)
     on conflict (lower(username)) do nothing returning pk`,
    [username, hash, email, isFirst],
  )
  // another kind of request has created it in the meantime
  if (!account) throw invalid({ username: [NAME_TAKEN] })
  await joinSignUpGroup(context, account.pk)
  await recordEvent(context, { kind: 'registered', user: account.pk, details: { superuser: isFirst } })
  if (email !== '') await addSignUpAddress(context, account.pk, email)
  return account.pk
}
