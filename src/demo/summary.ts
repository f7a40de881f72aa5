import type { Pool } from 'pg'
import type { Config } from '../config.ts'
import { accounts, PASSWORD } from '../resources/web/demo/demo-accounts.ts'

const COUNTS_QUERY = `select
  (select count(*) from part) as parts,
  (select count(*) from company) as companies,
  (select count(*) from stock_item) as items,
  (select count(*) from stock_location where not structural) as locations,
  (select count(*) from stock_tracking) as entries,
  (select count(*) from purchase_order) as orders,
  (select count(*) from purchase_order where status = 10) as pending,
  (select count(*) from purchase_order where status = 20) as placed,
  (select count(*) from purchase_order where status = 20 and target_date < current_date) as overdue,
  (select count(*) from purchase_order where status = 30) as complete,
  (select count(*) from purchase_order where status = 40) as cancelled,
  (select count(*) from sales_order) as sales,
  (select count(*) from sales_order where status = 15) as in_progress,
  (select count(*) from return_order) as returns,
  (select count(*) from build_order) as builds`

/** Summary of the demo, and how to open it. */
export async function createSummary(pool: Pool, { siteUrl }: Config): Promise<string> {
  const { rows } = await pool.query(COUNTS_QUERY)
  const count = rows[0]
  const accountLines = accounts.map(
    ({ username, first_name, last_name, job }) => `  ${username.padEnd(13)}${first_name} ${last_name}, ${job}`,
  )
  return `Songbird Instruments, a workshop that builds small synthesizers, is loaded:
  ${count.parts} parts, ${count.companies} companies
  ${count.items} stock items in ${count.locations} locations, with ${count.entries} history entries
  ${count.orders} purchase orders: ${count.pending} pending, ${count.placed} placed (${count.overdue} of them overdue), ${count.complete} complete, ${count.cancelled} cancelled
  ${count.sales} sales orders, ${count.in_progress} of them in progress, ${count.returns} return orders, and ${count.builds} build orders

Start the service with "npm start", and sign in with the password ${PASSWORD} as
${accountLines.join('\n')}

Try these:
  ${siteUrl}/api/order/po/?overdue=true&supplier_detail=true   overdue purchase orders
  ${siteUrl}/api/order/so-allocation/?outstanding=true&item_detail=true   stock allocated to customers
  ${siteUrl}/api/part/?low_stock=true   low stock
  ${siteUrl}/api/stock/?expired=true&part_detail=true   expired stock
  ${siteUrl}/api-doc/   everything else

This password is public: use the demo only for a trial. For your own stock, use another DATA_DIR.`
}
