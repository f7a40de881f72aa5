import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { invalid } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { PluginRegistry } from '../../plugin-host/registry.ts'
import { SwitchError } from '../../plugin-host/starter.ts'
import { recordEvent } from '../user/security-event/record-event.ts'

/** The plugin registry of this node. */
export const getRegistry = ({ plugins }: Pick<Services, 'plugins'>): PluginRegistry => plugins as PluginRegistry

type SwitchRequest = Pick<Request<Shape>, 'plugins' | 'caller' | 'exchange'>

/**
 * Enables or disables plugins, all or none, with the permissions of the caller; `store` runs in the same transaction.
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
    const recordAndStore = async (tx: Tx) => {
      await recordSwitch(request, tx, keys, active)
      return store(tx)
    }
    return (await getRegistry(request).switch(keys, active, request.caller.pk, recordAndStore)).active
  } catch (error) {
    if (error instanceof SwitchError) throw invalid({ active: [error.reason] })
    throw error
  }
}

/** Records a security event for each plugin that is enabled or disabled: its code gets, or loses, access to the data. */
async function recordSwitch(request: SwitchRequest, tx: Tx, keys: readonly string[], active: boolean): Promise<void> {
  const rows = await tx.query<{ key: string }>(
    'select key from plugin_config where key = any($1) and active <> $2 order by key',
    [[...keys], active],
  )
  for (const { key } of rows)
    if (active || !getRegistry(request).isAlwaysOn(key))
      await recordPluginChange({ ...request, tx }, { plugin: key, active: { before: !active, after: active } })
}

/** Records a change of the plugins as a security event. */
export const recordPluginChange = (
  request: Pick<Request<Shape>, 'caller' | 'exchange'> & { tx: Tx },
  details: Record<string, unknown>,
): Promise<void> => recordEvent(request, { kind: 'plugin_changed', actor: request.caller.pk, details })
