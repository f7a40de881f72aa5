import { Type } from 'typebox'
import * as f from '../../../kit/definition/field.ts'
import * as input from '../../../kit/definition/input.ts'
import { answerSchema, resource } from '../../../kit/definition/resource.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { ownRows } from '../../user/own-rows.ts'
import type { Address } from './addresses.ts'
import { emailAddress as table } from './email-address.table.ts'

/** What a client says of these is not believed (decision 26). */
const shown = (sql: string, label: string) =>
  f.writeOnly(input.boolean({ default: false }), { shown: sql, schema: Type.Boolean(), label })

/** The mail addresses of an account: only its owner sees them, whatever rights others have (decision 16). */
export const emailAddress = resource({
  path: '/api/auth/emails/',
  name: 'Email address',
  model: 'emailaddress',
  table,
  access: signedIn,
  rows: ownRows,
  without: ['detail', 'create', 'update', 'delete'],
  fields: {
    id: f.pk(table.pk),
    email: f.column(table.email, { format: 'email', required: true, label: 'Email address' }),
    verified: shown('{verified}', 'Verified'),
    primary: shown('{primary}', 'Primary'),
    user: f.ref(table.user, { required: true, model: 'user', address: '/api/user/' }),
  },
  order: { id: ['{pk}'] },
})

/** The schema of one address in answers. */
export const emailAddressSchema = answerSchema(emailAddress)

/** An address as it is answered. */
export const wireAddress = ({ pk, user, email, verified, primary }: Address) => ({ id: pk, email, verified, primary, user })
