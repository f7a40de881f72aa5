import type { Caller } from '../kit/request/caller.ts'
import { Problem } from '../kit/request/problem.ts'
import type { ActivePlugin, Services } from '../kit/services/services.ts'
import type { Tx } from '../kit/sql/tx.ts'
import { pluginErrors } from './plugin-errors.ts'
import { PluginFailure } from './running.ts'

/** A write in progress, and its caller. */
export type PendingWrite = Pick<Services, 'plugins' | 'log'> & { tx: Tx; caller: Caller }

/**
 * The plugins that implement a hook, for use inside writes, in order.
 * @throws Problem 503 if one is enabled and does not run on this node, so that a write it would reject elsewhere is not accepted here
 */
export function pluginsWithHook({ plugins }: Pick<Services, 'plugins'>, hook: string): readonly ActivePlugin[] {
  const [absent] = plugins.missingFor(hook)
  if (absent !== undefined) throw new Problem('unavailable', pluginErrors.plugin_not_running({ plugin: absent }))
  return plugins.withHook(hook)
}

/** Time limits in milliseconds: for one function of a plugin inside a write, and for all those called in one write. */
const CALL_TIMEOUT_MS = 250
const TOTAL_TIMEOUT_MS = 10_000

/** Total time spent waiting for plugins in a transaction, in milliseconds. */
const waitedMs = new WeakMap<Tx, number>()

/**
 * Calls a function of a plugin inside a write. It reads the state that the transaction sees, and changes nothing.
 * @param read parses the untrusted result of the plugin; throws if it is invalid
 * @throws PluginThrew if the function throws, or returns an invalid value
 * @throws Problem 503 if it does not respond in time. `/api/plugins/status/` reports all of this to those who manage plugins
 */
export async function callInWrite<T>(
  { tx, caller, log }: PendingWrite,
  plugin: ActivePlugin,
  args: readonly unknown[],
  read: (value: unknown) => T,
): Promise<T> {
  const before = waitedMs.get(tx) ?? 0
  const milliseconds = Math.max(1, Math.min(CALL_TIMEOUT_MS, TOTAL_TIMEOUT_MS - before))
  const started = performance.now()
  let parsed: T | undefined
  const check = (value: unknown) => {
    parsed = read(value)
  }
  try {
    await tx.withReader(milliseconds, (reader) => plugin.call(args, { caller, milliseconds, reader, check }))
    return parsed as T
  } catch (error) {
    if (!(error instanceof PluginFailure)) throw error
    log.warn({ plugin: plugin.key, reason: error.message }, 'a plugin failed in a write')
    // its reads fail after the time limit, and it may throw because of that
    const isLate = performance.now() - started >= milliseconds
    if (error.reason === 'thrown' && !isLate) throw new PluginThrew(plugin.key)
    throw new Problem('unavailable', pluginErrors.plugin_unanswered({ plugin: plugin.key }))
  } finally {
    waitedMs.set(tx, before + performance.now() - started)
  }
}

/** A function of a plugin threw, or returned an invalid value. */
export class PluginThrew extends Problem {
  constructor(key: string) {
    super('unavailable', pluginErrors.plugin_failed({ plugin: key }))
  }
}
