import type { Caller } from '../kit/request/caller.ts'
import { Problem } from '../kit/request/problem.ts'
import type { ActivePlugin, Services } from '../kit/services/services.ts'
import type { Json } from '../plugin-api/index.ts'
import { pluginErrors } from './plugin-errors.ts'

/**
 * Calls a function of a plugin for a request, in the name of its caller.
 * @param read what the plugin gave, which is not trusted; it throws when it is not what it may give
 * @param milliseconds that it may take; without it the usual time
 * @throws Problem 503 when the plugin fails or is late. What went wrong is for whoever looks after plugins (`/api/plugins/status/`)
 */
export async function callFor<T>(
  { log, caller }: Pick<Services, 'log'> & { caller: Caller },
  plugin: ActivePlugin,
  args: readonly unknown[],
  read: (given: unknown) => T,
  milliseconds?: number,
): Promise<T> {
  try {
    return read(await plugin.call(args, { caller, milliseconds }))
  } catch (error) {
    log.warn({ plugin: plugin.key, reason: (error as Error).message }, 'a plugin failed during a request')
    throw new Problem('unavailable', pluginErrors.plugin_failed({ plugin: plugin.key }))
  }
}

/** What of a body a plugin is given: JSON, with numbers as it knows them. */
export const plainJson = (body: unknown): Json => (body === undefined ? null : JSON.parse(JSON.stringify(body)))
