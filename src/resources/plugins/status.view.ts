import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { superuser } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import type { PluginOnNode } from '../../plugin-host/start-plugin.ts'
import { setting } from '../settings/live.ts'
import { registryOf } from './registry-of.ts'

/** Global settings that disable features of plugins, by mixin. */
const HELD_BACK = {
  endpoints: 'ENABLE_PLUGINS_URL',
  schedule: 'ENABLE_PLUGINS_SCHEDULE',
  events: 'ENABLE_PLUGINS_EVENTS',
} as const

const told = (description: string) => Type.String({ description })

export const readStatus = view({
  path: '/api/plugins/status/',
  summary: 'List the errors of plugins',
  description:
    'Returns the errors of plugins on the responding node since they were last loaded, and the settings that disable features of running plugins.',
  access: superuser,
  answer: Type.Object({
    registry_errors: Type.Array(
      Type.Object({
        stage: told(
          'The stage of the error: `discovery`, `load`, `init` while it was started, or `call` of one of its functions.',
        ),
        name: told('The key of the plugin, or the name of what is not a valid plugin.'),
        message: told('The error.'),
      }),
    ),
    waiting: Type.Array(Type.Object({ name: told('The plugin.'), message: told('Why one of its features is not used.') })),
  }),
  read(request) {
    const registry = registryOf(request)
    const waiting = registry.running.flatMap((plugin) =>
      waitsOf(request, plugin).map((message) => ({ name: plugin.key, message })),
    )
    return { registry_errors: registry.problems, waiting }
  },
})

function waitsOf(services: Pick<Services, 'settings'>, { manifest }: PluginOnNode): string[] {
  return Object.entries(HELD_BACK).flatMap(([mixin, key]) =>
    manifest.mixins.some((one) => one === mixin) && !setting(services, key) ? [`${mixin}: disabled by the setting ${key}`] : [],
  )
}
