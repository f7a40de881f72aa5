import { Type } from 'typebox'
import { view } from '../../kit/definition/action.ts'
import { superuser } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import type { PluginOnNode } from '../../plugin-host/start-plugin.ts'
import { setting } from '../../settings/live.ts'
import { getRegistry } from './plugin-registry.ts'

/** Global settings that disable features of plugins, by mixin. */
const MIXIN_SETTINGS = {
  endpoints: 'ENABLE_PLUGINS_URL',
  schedule: 'ENABLE_PLUGINS_SCHEDULE',
  events: 'ENABLE_PLUGINS_EVENTS',
  mail: 'ENABLE_PLUGINS_MAILS',
} as const

const describedString = (description: string) => Type.String({ description })

export const readStatus = view({
  path: '/api/plugins/status/',
  summary: 'List the errors of plugins',
  description:
    'Returns the errors of plugins on the responding node since they were last loaded, and the settings that disable features of running plugins.',
  access: superuser,
  response: Type.Object({
    active_plugins: Type.Optional(Type.Integer({ description: 'The number of running plugins, for clients of API 530.' })),
    registry_errors: Type.Array(
      Type.Object({
        stage: describedString(
          'The stage of the error: `discovery`, `load`, `init` while it was started, or `call` of one of its functions.',
        ),
        name: describedString('The key of the plugin, or the name of what is not a valid plugin.'),
        message: describedString('The error.'),
      }),
    ),
    waiting: Type.Array(
      Type.Object({ name: describedString('The plugin.'), message: describedString('Why one of its features is not used.') }),
    ),
  }),
  read(request) {
    const registry = getRegistry(request)
    const waiting = registry.running.flatMap((plugin) =>
      listDisabledFeatures(request, plugin).map((message) => ({ name: plugin.key, message })),
    )
    return {
      ...(request.config.wire.extendedFields && { active_plugins: registry.running.length }),
      registry_errors: registry.problems,
      waiting,
    }
  },
})

function listDisabledFeatures(services: Pick<Services, 'settings'>, { manifest }: PluginOnNode): string[] {
  return Object.entries(MIXIN_SETTINGS).flatMap(([mixin, key]) =>
    manifest.mixins.some((name) => name === mixin) && !setting(services, key) ? [`${mixin}: disabled by the setting ${key}`] : [],
  )
}
