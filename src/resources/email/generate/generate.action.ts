import { Type } from 'typebox'
import { procedure } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { everyone } from '../../../kit/request/caller.ts'
import { sendMail } from '../../../mail/mail.ts'
import { countSignIn } from '../../auth/count-sign-in.ts'

/**
 * Mails a link that signs in to the accounts that have an address. The answer and the work are the same whether or not there
 * is one (decision 36).
 */
export const mailSignInLink = procedure({
  method: 'POST',
  path: '/api/email/generate/',
  summary: 'Mail a link that signs in',
  access: everyone,
  status: 200,
  body: { email: input.email({ required: true }) },
  answer: Type.Object({ status: Type.String() }),
  async handle({ body, exchange, ...services }) {
    await countSignIn({ ...services, exchange })
    await services.database.transaction((tx) => sendMail({ ...services, tx }, { kind: 'sign_in', address: body.email }))
    return { status: 'ok' }
  },
})
