import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { superuser } from '../../kit/request/caller.ts'
import { registryOf } from './registry-of.ts'

const flag = (label: string, help: string) => input.boolean({ default: false, label, help })

const body = {
  full_reload: flag('Full reload', 'Existing clients ask so for all of it; a reload is always full.'),
  force_reload: flag(
    'Force reload',
    'Existing clients ask so for plugins that have not changed; they are loaded anew in any case.',
  ),
  collect_plugins: flag(
    'Collect plugins',
    'Existing clients ask so for a look at what is installed; it is looked for in any case.',
  ),
}

export const reloadPlugins = procedure({
  method: 'POST',
  path: '/api/plugins/reload/',
  summary: 'Load all plugins anew',
  description:
    'Looks for plugins in all their places and loads everything anew that is switched on, with its changed code: what ran before has ended when the answer comes. What is wrong with one is told at `/api/plugins/status/`. The other nodes do the same within a second. The answer is the body with what was left out.',
  example: { body: { full_reload: true } },
  access: superuser,
  body,
  answer: Type.Object(Object.fromEntries(Object.keys(body).map((name) => [name, Type.Boolean()]))),
  async handle(request) {
    await registryOf(request).reload()
    return request.body
  },
})
