import type { Deletion } from '../../kit/definition/resource.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import { companyErrors } from './company-errors.ts'

/** Maximum number of stock items that the error lists; it only counts the others. */
const MAX_NAMED_ITEMS = 5

/**
 * Rejects deleting a company that is the customer of stock items: without a customer they would count as in stock again. Its row is locked,
 * so that no item can be assigned to it concurrently.
 */
export async function requireNoStock({ tx, row }: Deletion): Promise<void> {
  const items = await tx.query<{ pk: number; count: number }>(
    `select pk, (count(*) over ())::integer as count from stock_item where customer = $1 order by pk limit ${MAX_NAMED_ITEMS}`,
    [row.pk],
  )
  const [first] = items
  if (!first) return
  const more = first.count > items.length ? ` and ${first.count - items.length} more` : ''
  const itemKeys = items.map(({ pk }) => pk).join(', ') + more
  throw invalidObject(companyErrors.company_has_stock({ stock_items: itemKeys }))
}
