import type { Exchange } from '../../kit/request/exchange.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { findSetting, globalSettings } from '../../settings/registry.ts'
import type { SettingRow } from '../../settings/store.ts'
import { recordEvent } from '../user/security-event/record-event.ts'

/** Text that stands for a confidential value. */
const MASK = '***'

/**
 * Records the change of a global setting as a security event, with its stored value before and after. Confidential values are masked.
 * @param actor the account that changed it; undefined for the service
 */
export async function recordSettingChange(
  context: { tx: Tx; exchange?: Exchange },
  before: Pick<SettingRow, 'key' | 'value'>,
  after: Pick<SettingRow, 'value'>,
  actor?: number,
): Promise<void> {
  if (before.value === after.value) return
  const isConfidential = findSetting(globalSettings, before.key)?.setting.confidential
  const values = isConfidential
    ? { before: maskValue(before.value), after: maskValue(after.value) }
    : { before: before.value, after: after.value }
  await recordEvent(context, { kind: 'setting_changed', actor, details: { key: before.key, ...values } })
}

/** The recorded form of a confidential value: whether there is one. */
export const maskValue = (value: string): string => (value === '' ? '' : MASK)
