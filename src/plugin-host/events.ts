import type { EventReader, OutboxEvent } from '../kit/services/events.ts'
import { DELIVERY_TIMEOUT_MS } from '../kit/services/events.ts'
import type { Services } from '../kit/services/services.ts'
import type { Event } from '../plugin-api/index.ts'
import { setting } from '../settings/live.ts'
import { getEventName, getModelName } from './event-names.ts'
import type { PluginRegistry } from './registry.ts'

const HOOK = 'events.handle'
/** Prefix of the readers of plugins, before the key of each. */
const PREFIX = 'plugin '

type WithRegistry = Services & { plugins: PluginRegistry }

const areEventsEnabled = (services: Pick<Services, 'settings'>): boolean => setting(services, 'ENABLE_PLUGINS_EVENTS')

/** The readers of plugins that receive events on this node, one for each plugin. A failing plugin delays only itself. */
export function createPluginReaders(services: WithRegistry): EventReader[] {
  const { plugins } = services
  if (!areEventsEnabled(services)) return []
  return plugins.withHook(HOOK).map(({ key }) => {
    const names = plugins.running.find((plugin) => plugin.key === key)?.manifest.events
    const subscribedNames = names && new Set(names)
    return {
      name: `${PREFIX}${key}`,
      accepts: (event) => subscribedNames?.has(getEventName(event)) ?? true,
      async deliver(event) {
        const plugin = plugins.withHook(HOOK).find((candidate) => candidate.key === key)
        // it is being reloaded, or it was disabled and this reader is about to be removed
        if (!plugin) throw new Error(`the plugin ${key} does not run here`)
        await plugin.call([toPluginEvent(event)], { milliseconds: DELIVERY_TIMEOUT_MS })
      },
    }
  })
}

/** The event for a plugin. */
const toPluginEvent = (event: OutboxEvent): Event => ({
  name: getEventName(event),
  model: getModelName(event.model),
  id: event.key,
  account: event.account,
  at: event.created.toISOString(),
})

/**
 * Deletes the readers of plugins that are disabled, that run here and no longer handle events, or all while the setting disables events:
 * they start over with later events. (An enabled plugin that does not run here may run elsewhere, or soon.)
 */
export async function removeReaders(services: WithRegistry): Promise<void> {
  await services.settings.upToDate()
  const { running } = services.plugins
  const keysWithoutHandler = running.filter(({ manifest }) => !manifest.hooks.includes(HOOK)).map(({ key }) => key)
  await services.database.read({
    text: `delete from event_reader where starts_with(name, $1)
      and not ($2 and exists (select from plugin_config where active and key <> all($3) and $1 || key = event_reader.name))`,
    values: [PREFIX, areEventsEnabled(services), keysWithoutHandler],
  })
}
