import { Type } from 'typebox'
import { procedure, Reply } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { isObject } from '../../kit/values/json.ts'
import { callForRequest, toPlainJson } from '../../plugin-host/call-for.ts'

const anyField = (description: string) => Type.Optional(Type.Any({ description }))

const NO_ACTION = { error: 'No action specified' }

export const performAction = procedure({
  method: 'POST',
  path: '/api/action/',
  summary: 'Run an action of a plugin',
  description:
    'Runs the action in the first plugin that offers it, on behalf of the caller. Without an action, or if no plugin offers it, the response is 200 with `error`.',
  errors: {
    not_found: 'With API 530: no plugin offers the action.',
    unavailable: 'The plugin failed, or took longer than 10 seconds.',
  },
  example: { body: { action: 'blink', data: { times: 3 } } },
  access: signedIn,
  status: 200,
  readsBody: true,
  body: {
    action: input.text({ required: true, label: 'Action', help: 'The name of the action, as the plugin declares it.' }),
    // the type that existing clients expect; any JSON is accepted
    data: {
      ...input.optional(
        input.json({
          label: 'Data',
          api530: { metadata: { required: true } },
          help: 'The parameters of the action, as the plugin documents them.',
        }),
      ),
      options: { type: 'nested object' },
    },
  },
  response: Type.Object({
    action: anyField('The requested action.'),
    result: anyField('The result, as the plugin returns it.'),
    info: anyField('Additional information from the plugin.'),
    error: Type.Optional(Type.String({ description: 'The reason for an error.' })),
  }),
  async handle(request) {
    const { action = null, data } = request.raw
    const isRejected = request.config.wire.rejectsUnknownActions
    if (action === null) return isRejected ? new Reply(400, NO_ACTION) : NO_ACTION
    const [plugin] = typeof action === 'string' ? request.plugins.withHook(`actions.${action}`) : []
    if (!plugin) {
      const body = { error: 'No matching action found', action }
      return isRejected ? new Reply(404, body) : body
    }
    return callForRequest(request, plugin, [toPlainJson(data)], (output) => {
      if (!isObject(output)) throw new Error('it returned no result')
      const { result = null, info = null } = output
      return { action, result, info }
    })
  },
})
