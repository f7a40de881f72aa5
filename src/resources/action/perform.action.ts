import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { isObject } from '../../kit/values/json.ts'
import { callFor, plainJson } from '../../plugin-host/call-for.ts'

const told = (description: string) => Type.Optional(Type.Any({ description }))

export const performAction = procedure({
  method: 'POST',
  path: '/api/action/',
  summary: 'Perform an action of a plugin',
  description:
    'Has the first plugin that has this action perform it, in the name of the caller. Without an action, or where no plugin has it, the answer is 200 all the same, with `error` in it.',
  refuses: { unavailable: 'The plugin failed, or took longer than 10 seconds.' },
  example: { body: { action: 'blink', data: { times: 3 } } },
  access: signedIn,
  status: 200,
  readsBody: true,
  body: {
    action: input.text({ required: true, label: 'Action', help: 'The name that a plugin gave to the action.' }),
    // as existing clients are told; any JSON is taken
    data: {
      ...input.optional(input.json({ label: 'Data', help: 'What the action is given, as its plugin says.' })),
      options: { type: 'nested object' },
    },
  },
  answer: Type.Object({
    action: told('The action that was asked for.'),
    result: told('What the plugin says came of it.'),
    info: told('What else the plugin says of it.'),
    error: Type.Optional(Type.String({ description: 'Why nothing was performed.' })),
  }),
  async handle(request) {
    const { action = null, data } = request.raw
    if (action === null) return { error: 'No action specified' }
    const [plugin] = typeof action === 'string' ? request.plugins.having(`actions.${action}`) : []
    if (!plugin) return { error: 'No matching action found', action }
    return callFor(request, plugin, [plainJson(data)], (given) => {
      if (!isObject(given)) throw new Error('it gave no result')
      const { result = null, info = null } = given
      return { action, result, info }
    })
  },
})
