import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { isoTimestamp } from '../../../kit/definition/field.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { setting } from '../../../settings/live.ts'

export const readSecondFactor = view({
  path: '/api/auth/mfa/',
  summary: "Get the status of the caller's second factor",
  description:
    'Returns whether the caller has a second factor, the number of recovery codes left, and whether this service requires one.',
  access: signedIn,
  response: Type.Object({
    enabled: Type.Boolean({ description: 'Whether sign-in requires the second factor.' }),
    confirmed: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'When it was enabled.' }),
    recovery_codes: Type.Integer({ minimum: 0, description: 'The number of recovery codes left.' }),
    passed: Type.Boolean({ description: 'Whether the session of the request was opened with it.' }),
    required: Type.Boolean({ description: 'Whether this service requires it for all accounts.' }),
  }),
  async read({ database, caller, ...services }) {
    const [row] = await database.read<{ confirmed: string | null; recovery_codes: number }>({
      text: `select (select ${isoTimestamp('confirmed')} from second_factor where "user" = $1) as confirmed,
        (select count(*)::integer from recovery_code where "user" = $1 and used is null) as recovery_codes`,
      values: [caller.pk],
    })
    const confirmed = row?.confirmed ?? null
    return {
      enabled: confirmed !== null,
      confirmed,
      recovery_codes: row?.recovery_codes ?? 0,
      passed: caller.passedSecondFactor,
      required: setting(services, 'LOGIN_ENFORCE_MFA'),
    }
  },
})
