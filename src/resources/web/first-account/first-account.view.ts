import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { everyone } from '../../../kit/request/caller.ts'
import { setting } from '../../../settings/live.ts'

/** Whether a sign-in page should offer to set up the service instead. */
export const firstAccount = view({
  path: '/api/web/first-account/',
  summary: 'Check whether the first account is missing',
  description:
    'Until there is a superuser, the account that registers with the setup code of the startup log becomes the first. A sign-in page can offer that.',
  access: everyone,
  response: Type.Object({
    is_open: Type.Boolean({ description: 'Whether there is no superuser yet, and registration is open (`LOGIN_ENABLE_REG`).' }),
  }),
  async read(services) {
    if (!setting(services, 'LOGIN_ENABLE_REG')) return { is_open: false }
    const text = 'select from user_account where is_superuser limit 1'
    const superusers = await services.database.read({ text, name: 'superuser_exists', values: [] })
    return { is_open: superusers.length === 0 }
  },
})
