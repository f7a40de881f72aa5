import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { everyone } from '../../../kit/request/caller.ts'
import { setting } from '../../settings/live.ts'

/** Whether a page that asks somebody to sign in offers to set the service up instead. */
export const firstAccount = view({
  path: '/api/web/first-account/',
  summary: 'Whether the first account is still to be made',
  description:
    'Until there is a superuser, whoever registers with the set-up code of the start-up log becomes the first. A page that asks somebody to sign in offers that then.',
  access: everyone,
  answer: Type.Object({
    is_open: Type.Boolean({ description: 'There is no superuser yet, and accounts can be registered (`LOGIN_ENABLE_REG`).' }),
  }),
  async read(services) {
    if (!setting(services, 'LOGIN_ENABLE_REG')) return { is_open: false }
    const text = 'select from user_account where is_superuser limit 1'
    const superusers = await services.database.read({ text, name: 'superuser_exists', values: [] })
    return { is_open: superusers.length === 0 }
  },
})
