import type { Errors } from '../../../kit/request/errors.ts'
import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { compare, type Decimal } from '../../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import type { LockedItem } from './locked-items.ts'

/** The quantities that an action accepts for a serialized item, and the error for any other. */
export type SerializedRule = { accepts: (quantity: Decimal, item: LockedItem) => boolean; error: ErrorMessage }

/** Creates a rule that accepts one quantity. */
export const acceptOnly = (accepted: Decimal, error: ErrorMessage): SerializedRule => ({
  accepts: (quantity) => compare(quantity, accepted) === 0,
  error,
})

/**
 * Rejects quantities that are impossible for serialized items, each on the `quantity` of its entry. Existing clients expect success, and the
 * items unchanged (docs/configuration.md#wire-form).
 * @returns whether each entry is to be left out, in the order of the entries
 */
export function findImpossibleEntries(
  { config }: Pick<Services, 'config'>,
  items: readonly LockedItem[],
  entries: readonly { quantity: Decimal }[],
  { accepts, error }: SerializedRule,
): boolean[] {
  const isImpossible = items.map(
    (item, index) => Boolean(item.serial) && !accepts((entries[index] as { quantity: Decimal }).quantity, item),
  )
  if (!config.wire.skipsSerialized && isImpossible.includes(true))
    throw invalid({ items: isImpossible.map((is): Errors => (is ? { quantity: [error] } : {})) })
  return isImpossible
}
