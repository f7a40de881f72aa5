import type { Tx } from '../../../kit/sql/tx.ts'
import { testErrors } from '../../stock/stock-errors.ts'

export const TEST_NAME_TAKEN = testErrors.test_name_taken

/** Blocks concurrent creation of tests in the tree of a part until the transaction ends. */
export const lockTests = (tx: Tx, part: unknown): Promise<unknown> =>
  tx.query(`select pg_advisory_xact_lock(hashtext('part_test_template'), path[1]) from part where pk = $1`, [part])

/** Whether another test in the tree of a part has this key, except the test with primary key `except`. */
export async function hasOtherTest(tx: Tx, part: unknown, key: string, except = 0): Promise<boolean> {
  const duplicate = await tx.first(
    `select from part_test_template test join part on part.pk = test.part join part own on own.pk = $2
     where test.key = $1 and part.path[1] = own.path[1] and test.pk <> $3`,
    [key, part, except],
  )
  return duplicate !== undefined
}
