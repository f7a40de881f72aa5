import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { everyone } from '../../kit/request/caller.ts'

/** For clients of API 438, which request it before signing in; probes use `/readyz`. */
export const readSystemHealth = view({
  path: '/api/system/health/',
  summary: 'Get whether the service is ready',
  description: 'Returns that the service and its database respond. Without its database the service responds with 503.',
  access: everyone,
  response: Type.Object({ status: Type.Literal('ok', { description: '`ok`: it can serve requests.' }) }),
  async read({ database }) {
    await database.read({ text: 'select 1' })
    return { status: 'ok' }
  },
})
