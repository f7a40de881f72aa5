import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { findConfirmationMethod } from './confirmation-method.ts'
import { CONFIRMATION_MINUTES } from './require-confirmation.ts'

export const readConfirmation = view({
  path: '/api/auth/confirm/',
  summary: 'Get the confirmation method of the caller',
  description: `Returns what \`POST /api/auth/confirm/\` requires of the caller, and whether it is needed now: a browser session needs it ${CONFIRMATION_MINUTES} minutes after its sign-in.`,
  access: signedIn,
  response: Type.Object({
    method: Type.Union(
      ['password', 'code', 'sign_in'].map((method) => Type.Literal(method)),
      {
        description:
          '`password` for an account with a password, `code` for one with only a second factor, `sign_in` for one that can only sign in again at its provider.',
      },
    ),
    confirmed: Type.Boolean({
      description: 'Whether no confirmation is needed now. Always true for a request with a token or a password.',
    }),
  }),
  async read({ database, caller }) {
    if (caller.session === undefined) return { method: await findConfirmationMethod(database, caller), confirmed: true }
    const [session] = await database.read<{ confirmed: boolean }>({
      text: 'select confirmed > now() - make_interval(mins => $2) as confirmed from user_session where pk = $1',
      values: [caller.session, CONFIRMATION_MINUTES],
    })
    return { method: await findConfirmationMethod(database, caller), confirmed: session?.confirmed ?? false }
  },
})
