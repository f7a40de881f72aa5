import { invalid } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { PluginRegistry } from '../../plugin-host/registry.ts'
import { SwitchError } from '../../plugin-host/starter.ts'

/** The plugin registry of this node. */
export const getRegistry = ({ plugins }: Pick<Services, 'plugins'>): PluginRegistry => plugins as PluginRegistry

type SwitchRequest = Pick<Services, 'plugins'> & { caller: { pk: number } }

/**
 * Enables or disables plugins, all or none, with the rights of the caller; `store` runs in the same transaction.
 * @returns whether they are enabled now
 * @throws Problem 400 on `active` when one cannot be started
 */
export async function switchPlugins(
  request: SwitchRequest,
  keys: readonly string[],
  active: boolean,
  store: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<boolean> {
  try {
    return (await getRegistry(request).switch(keys, active, request.caller.pk, store)).active
  } catch (error) {
    if (error instanceof SwitchError) throw invalid({ active: [error.reason] })
    throw error
  }
}
