import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { resource, responseSchema } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../../user/own-rows.ts'
import type { Address } from './addresses.ts'
import { emailAddress as table } from './email-address.table.ts'

/** Values for these from clients are ignored: only the emailed link verifies an address. */
const booleanField = (sql: string, label: string, help: string) =>
  f.writeOnly(input.boolean({ default: false }), { constant: sql, schema: Type.Boolean(), label, help })

/** Only its owner sees it, whatever permissions others have (docs/decisions.md#personal-records). */
export const emailAddress = resource({
  path: '/api/auth/emails/',
  name: 'Email address',
  description:
    'An email address of the caller. It is verified once the emailed link is followed (`verified`); the account is contacted at its primary address.',
  model: 'emailaddress',
  table,
  access: signedIn,
  rows: ownRows,
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    id: f.pk(table.pk),
    email: f.column(table.email, {
      format: 'email',
      required: true,
      label: 'Email address',
      help: 'The address, which the account must not have yet, case-insensitive.',
    }),
    verified: booleanField(
      '{verified}',
      'Verified',
      'Whether the address is verified. Only following the link in the email verifies it.',
    ),
    primary: booleanField('{primary}', 'Primary', 'Whether it is the primary address of the account. It cannot be changed here.'),
    user: f.ref(table.user, {
      required: true,
      model: 'user',
      apiUrl: '/api/user/',
      help: 'The account of the address: the caller; a superuser can name another one.',
    }),
  },
  order: { id: ['{pk}'] },
})

/** The schema of one address in responses. */
export const emailAddressSchema = responseSchema(emailAddress)

/** Returns an address in the form of responses. */
export const toWireAddress = ({ pk, user, email, verified, primary }: Address) => ({ id: pk, email, verified, primary, user })
