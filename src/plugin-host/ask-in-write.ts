import type { Caller } from '../kit/request/caller.ts'
import { Problem } from '../kit/request/problem.ts'
import type { ActivePlugin, Services } from '../kit/services/services.ts'
import type { Tx } from '../kit/sql/tx.ts'
import { pluginErrors } from './plugin-errors.ts'
import { PluginFailure } from './running.ts'

/** A write in progress, and in whose name it is made. */
export type Writing = Pick<Services, 'plugins' | 'log'> & { tx: Tx; caller: Caller }

/**
 * The plugins that have a function which is asked inside writes, in their order.
 * @throws Problem 503 where one is switched on and does not run on this node: what it would refuse elsewhere does not slip through here
 */
export function pluginsHaving({ plugins }: Pick<Services, 'plugins'>, hook: string): readonly ActivePlugin[] {
  const [absent] = plugins.absent(hook)
  if (absent !== undefined) throw new Problem('unavailable', pluginErrors.plugin_not_running({ plugin: absent }))
  return plugins.having(hook)
}

/** Milliseconds that a function of a plugin may take inside a write, and all those that are called in one write. */
const EACH = 250
const ALL = 10_000

/** How long plugins were waited for in a transaction, in milliseconds. */
const waited = new WeakMap<Tx, number>()

/**
 * Calls a function of a plugin inside a write. It reads what the transaction sees, and changes nothing.
 * @param read what the plugin gave, which is not trusted; it throws when it is not what it may give
 * @throws Threw when the function throws, or gives what it may not
 * @throws Problem 503 when it does not answer in time. Of all this `/api/plugins/status/` tells whoever looks after plugins
 */
export async function askInWrite<T>(
  { tx, caller, log }: Writing,
  plugin: ActivePlugin,
  args: readonly unknown[],
  read: (given: unknown) => T,
): Promise<T> {
  const before = waited.get(tx) ?? 0
  const milliseconds = Math.max(1, Math.min(EACH, ALL - before))
  const started = performance.now()
  let found: T | undefined
  const check = (given: unknown) => {
    found = read(given)
  }
  try {
    await tx.lend(milliseconds, (reader) => plugin.call(args, { caller, milliseconds, reader, check }))
    return found as T
  } catch (error) {
    if (!(error instanceof PluginFailure)) throw error
    log.warn({ plugin: plugin.key, reason: error.message }, 'a plugin failed in a write')
    // what it reads fails when its time is over, and it may throw for that
    const isLate = performance.now() - started >= milliseconds
    if (error.reason === 'thrown' && !isLate) throw new Threw(plugin.key)
    throw new Problem('unavailable', pluginErrors.plugin_unanswered({ plugin: plugin.key }))
  } finally {
    waited.set(tx, before + performance.now() - started)
  }
}

/** A function of a plugin threw, or gave what it may not. */
export class Threw extends Problem {
  constructor(key: string) {
    super('unavailable', pluginErrors.plugin_failed({ plugin: key }))
  }
}
