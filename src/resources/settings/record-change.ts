import type { Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { Setting } from '../../settings/setting.ts'
import type { SettingRow } from '../../settings/store.ts'
import { recordEvent } from '../user/security-event/record-event.ts'

type TransactionRequest = Pick<Request<Shape>, 'caller' | 'exchange'> & { tx: Tx }

/**
 * Records a change of a setting of a plugin or of a machine as a security event, with its value before and after; those of a secret are
 * masked. Records nothing if the value is the same.
 * @param owner the plugin or the machine, in the details of the event
 */
export async function recordSettingChange(
  request: TransactionRequest,
  setting: Setting,
  before: SettingRow,
  after: SettingRow,
  owner: Record<string, string>,
): Promise<void> {
  if (before.value === after.value) return
  const show = ({ value }: SettingRow) => (setting.confidential ? '***' : value)
  await recordEvent(request, {
    kind: 'setting_changed',
    actor: request.caller.pk,
    details: { ...owner, key: after.key, before: show(before), after: show(after) },
  })
}
