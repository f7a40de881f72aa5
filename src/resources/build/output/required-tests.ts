import { invalidObject } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { setting } from '../../../settings/live.ts'
import type { LockedItem } from '../../stock/movement/locked-items.ts'
import { findItemsWithoutTests } from '../../stock/test/passed-tests.ts'
import { buildErrors } from '../build-errors.ts'

/**
 * Rejects outputs that have not passed all required tests of their part, if the setting requires that; the error names each output. The
 * newest result of each test counts.
 */
export async function requirePassedTests(
  context: Pick<Services, 'settings'> & { tx: Tx },
  outputs: readonly LockedItem[],
): Promise<void> {
  if (!setting(context, 'PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS')) return
  const failing = await findItemsWithoutTests(
    context.tx,
    outputs.map(({ pk }) => pk),
  )
  if (failing.length === 0) return
  const descriptions = new Map(
    outputs.map((item) => [item.pk, item.serial ? `serial number ${item.serial}` : `stock item ${item.pk}`]),
  )
  throw invalidObject(buildErrors.output_tests_not_passed({ outputs: failing.map((pk) => descriptions.get(pk) ?? '') }))
}
