import { Type } from 'typebox'
import { procedure } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { superuser } from '../../kit/request/caller.ts'
import { getRegistry } from './plugin-registry.ts'

const flag = (label: string, help: string) => input.boolean({ default: false, label, help })

const body = {
  full_reload: flag('Full reload', 'For existing clients; a reload is always full.'),
  force_reload: flag('Force reload', 'For existing clients; unchanged plugins are always reloaded.'),
  collect_plugins: flag('Collect plugins', 'For existing clients; installed plugins are always discovered.'),
}

export const reloadPlugins = procedure({
  method: 'POST',
  path: '/api/plugins/reload/',
  summary: 'Reload all plugins',
  description:
    'Discovers plugins in all locations and reloads all enabled plugins with their changed code; previous instances have stopped when the response is sent. Errors are at `/api/plugins/status/`. Other nodes follow within a second. The response repeats the body, with defaults.',
  example: { body: { full_reload: true } },
  access: superuser,
  body,
  response: Type.Object(Object.fromEntries(Object.keys(body).map((name) => [name, Type.Boolean()]))),
  async handle(request) {
    await getRegistry(request).reload()
    return request.body
  },
})
