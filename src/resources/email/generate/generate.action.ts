import { Type } from 'typebox'
import { procedure } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { everyone } from '../../../kit/request/caller.ts'
import { countSignIn } from '../../auth/count-sign-in.ts'
import { sendMail } from '../mail.ts'

const address = input.email({ required: true, help: 'The email address of the account.' })
// existing clients expect plain text
const email = { ...address, options: { ...address.options, type: 'string' } }

/** The response and the work are the same whether or not the account exists. */
export const mailSignInLink = procedure({
  method: 'POST',
  path: '/api/email/generate/',
  summary: 'Send a sign-in link by email',
  description:
    'Sends a link, valid once and for five minutes, to each active account that has the address or has verified it. The response does not reveal whether such an account exists. A request too soon after the previous one is accepted, but sends nothing.',
  throttled: true,
  example: { body: { email: 'ada@songbird.example' } },
  access: everyone,
  status: 200,
  body: { email },
  response: Type.Object({ status: Type.String() }),
  async handle({ body, exchange, ...services }) {
    await countSignIn({ ...services, exchange })
    await services.database.transaction((tx) => sendMail({ ...services, tx }, { kind: 'sign_in', address: body.email }))
    return { status: 'ok' }
  },
})
