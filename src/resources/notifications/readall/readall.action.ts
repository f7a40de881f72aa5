import { Type } from 'typebox'
import type { Config } from '../../../config.ts'
import { type Action, action } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'

/** Marks the caller's notifications as read. Existing clients use GET (docs/configuration.md#wire-form). */
export function createReadAllActions({ wire }: Pick<Config, 'wire'>): Action[] {
  const createAction = (method: 'GET' | 'POST') =>
    action({
      method,
      path: '/api/notifications/readall/',
      summary: 'Mark all notifications as read',
      description: 'Marks all notifications of the caller as read.',
      unsafe: method === 'GET' ? true : undefined,
      worksOnFullDisk: true,
      example: {},
      access: signedIn,
      right: 'view',
      body: {},
      status: 200,
      response: Type.Object({ status: Type.Literal('ok') }),
      async run({ tx, caller }) {
        await tx.query('update notification set read = true where "user" = $1 and not read', [caller.pk])
        return { status: 'ok' }
      },
    })
  return wire.readAllByGet && !wire.announces530 ? [createAction('GET'), createAction('POST')] : [createAction('POST')]
}
