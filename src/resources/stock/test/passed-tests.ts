import type { Tx } from '../../../kit/sql/tx.ts'

/** Finds the stock items that have not passed all required tests of their part. The newest result of each test counts. */
export async function findItemsWithoutTests(tx: Tx, items: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ pk: number }>(
    `select item.pk from stock_item item join part on part.pk = item.part
     where item.pk = any($1::integer[]) and exists (
       select from part_test_template test
       where test.part = any(part.path) and test.required and test.enabled and not coalesce((
         select result.result from stock_item_test_result result
         where result.stock_item = item.pk and result.template = test.pk order by result.date desc, result.pk desc limit 1
       ), false)
     ) order by item.pk`,
    [items],
  )
  return rows.map(({ pk }) => pk)
}
