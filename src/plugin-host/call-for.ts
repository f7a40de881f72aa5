import type { Caller } from '../kit/request/caller.ts'
import { Problem } from '../kit/request/problem.ts'
import type { ActivePlugin, Services } from '../kit/services/services.ts'
import type { Json } from '../plugin-api/index.ts'
import { pluginErrors } from './plugin-errors.ts'

/**
 * Calls a function of a plugin for a request, on behalf of its caller.
 * @param read parses the untrusted result of the plugin; throws if it is invalid
 * @param milliseconds the time limit of the call; by default that of `ActivePlugin.call`
 * @throws Problem 503 if the plugin fails or times out. The reason is shown only to those who manage plugins (`/api/plugins/status/`)
 */
export async function callForRequest<T>(
  { log, caller }: Pick<Services, 'log'> & { caller: Caller },
  plugin: ActivePlugin,
  args: readonly unknown[],
  read: (result: unknown) => T,
  milliseconds?: number,
): Promise<T> {
  try {
    return read(await plugin.call(args, { caller, milliseconds }))
  } catch (error) {
    log.warn({ plugin: plugin.key, reason: (error as Error).message }, 'a plugin failed during a request')
    throw new Problem('unavailable', pluginErrors.plugin_failed({ plugin: plugin.key }))
  }
}

/** Converts a body for a plugin: JSON, with plain numbers. */
export const toPlainJson = (body: unknown): Json => (body === undefined ? null : JSON.parse(JSON.stringify(body)))
