import type { Tx } from '../../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../../kit/values/message.ts'
import { toTestKey } from '../../part/test-template/test-key.ts'
import { hasOtherTest, lockTests, TEST_NAME_TAKEN } from '../../part/test-template/test-names.ts'
import { testErrors } from '../stock-errors.ts'

/**
 * Finds the test with this name among those of an item's part and of the templates above it. An unknown test is created for the part; if
 * that is not permitted, the reason is returned.
 */
export async function findOrCreateTest(
  tx: Tx,
  item: number,
  name: string,
): Promise<{ template: number } | { error: ErrorMessage }> {
  const key = toTestKey(name)
  if (key === '') return { error: testErrors.invalid_test_name }
  if ([...key].length > 100) return { error: testErrors.test_name_too_long }
  const match = await findTest(tx, item, key)
  if (match) return match
  const part = await tx.first<{ pk: number; trackable: boolean }>(
    'select part.pk, part.trackable from part join stock_item item on item.part = part.pk where item.pk = $1',
    [item],
  )
  if (!part?.trackable) return { error: testErrors.unknown_test_of_untrackable_part }
  await lockTests(tx, part.pk)
  // another transaction may have created it by now
  const secondMatch = await findTest(tx, item, key)
  if (secondMatch) return secondMatch
  if (await hasOtherTest(tx, part.pk, key)) return { error: TEST_NAME_TAKEN }
  const row = await tx.first<{ template: number }>(
    `insert into part_test_template (part, test_name, key, description) values ($1, $2, $3, '') returning pk as template`,
    [part.pk, name, key],
  )
  return row as { template: number }
}

const findTest = (tx: Tx, item: number, key: string) =>
  tx.first<{ template: number }>(
    `select test.pk as template from stock_item item
     join part on part.pk = item.part
     join part_test_template test on test.part = any(part.path) and test.key = $2
     where item.pk = $1`,
    [item, key],
  )
