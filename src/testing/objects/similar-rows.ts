import type { TestService } from '../service.ts'

/**
 * Creates rows for tests of sorting: many objects have equal sort values, many objects have no rows that refer to them, and many rows refer
 * to no object. Triggers update the stored sums.
 */
export async function createSimilarObjects(service: TestService): Promise<void> {
  await service.rows(`insert into company (name, currency, is_supplier, is_customer, is_manufacturer)
    select 'Company ' || n % 5, 'USD', true, true, true from generate_series(1, 12) n`)
  await service.rows(`insert into stock_location (name, parent) select 'Place ' || n, null from generate_series(1, 9) n`)
  await service.rows(`insert into project_code (code, description) select 'P' || n, '' from generate_series(1, 5) n`)
  await service.rows(`insert into part (name, "IPN", revision, description, purchaseable, salable)
    select 'Part ' || n % 9, case when n % 3 > 0 then 'I' || n % 4 end, 'R' || n, '', true, true from generate_series(1, 30) n`)
  await service.rows(
    `insert into manufacturer_part (part, manufacturer, "MPN") select n, 1 + n % 12, 'M' || n % 4 from generate_series(1, 8) n`,
  )
  await service.rows(`insert into supplier_part (part, supplier, "SKU", manufacturer_part)
    select 1 + n % 30, 1 + n % 12, 'S' || n % 7, case when n % 2 = 0 then 1 + n % 8 end from generate_series(1, 40) n`)
  await service.rows(`insert into purchase_order (reference, reference_int, supplier, project_code, complete_date, status, total_price_currency)
    select 'PO-' || n, n, case when n % 4 > 0 then 1 + n % 12 end, case when n % 3 = 0 then 1 + n % 5 end, case when n % 2 = 0 then date '2024-01-01' + n % 3 end, 10, 'USD'
    from generate_series(1, 25) n`)
  await service.rows(`insert into purchase_order_line ("order", part, quantity, purchase_price_currency)
    select 1 + (n * n) % 20, case when n % 6 > 0 then 1 + n % 40 end, 1, 'USD' from generate_series(1, 120) n`)
  await service.rows(`insert into sales_order (reference, reference_int, customer, project_code, status, total_price_currency)
    select 'SO-' || n, n, case when n % 5 > 0 then 1 + n % 12 end, case when n % 3 = 0 then 1 + n % 5 end, 10, 'USD' from generate_series(1, 25) n`)
  await service.rows(`insert into sales_order_line ("order", part, quantity, sale_price_currency)
    select 1 + (n * 7) % 23, case when n % 5 > 0 then 1 + n % 30 end, 1, 'USD' from generate_series(1, 90) n`)
  await service.rows(`insert into stock_item (part, location, supplier_part, status, quantity, purchase_price_currency)
    select 1 + (n * n) % 30, case when n % 7 > 1 then 1 + n % 8 end, case when n % 3 = 0 then 1 + n % 40 end, case when n % 4 = 0 then 60 else 10 end, 1 + n % 3, 'USD'
    from generate_series(1, 150) n`)
}
