import assert from 'node:assert/strict'
import { insertItem, locations } from '../../resources/stock/fixture.ts'
import type { TestService } from '../service.ts'
import { createObjectsAs } from './creates.ts'

/** A sales order with its line and shipment, by their keys. */
export type Sale = { order: number; line: number; shipment: number }

/** Sales orders for tests, on the stock of `fillStock`: created by requests, so that all rules are enforced. */
export function createSalesHelpers(service: TestService) {
  const { member } = service
  let number = 0

  const createObject = createObjectsAs(member)

  /** Creates a salable part without stock. */
  const part = async (options: { trackable?: boolean; variant_of?: number; is_template?: boolean } = {}): Promise<number> => {
    const [row] = await service.rows(
      `insert into part (name, description, salable, trackable, variant_of, is_template) values ($1, 'of tests', true, $2, $3, $4)
       returning pk`,
      [`Article ${++number}`, options.trackable ?? false, options.variant_of ?? null, options.is_template ?? false],
    )
    return row.pk
  }

  /** Creates a customer. */
  const customer = async (): Promise<number> =>
    (
      await service.rows('insert into company (name, currency, is_customer) values ($1, $2, true) returning pk', [
        `Customer ${++number}`,
        'USD',
      ])
    )[0].pk

  const order = async (fields: object = {}): Promise<number> =>
    createObject('/api/order/so/', { reference: `SO-${++number}`, customer: await customer(), ...fields })

  const line = (target: number, partKey: number, quantity = 10, fields: object = {}): Promise<number> =>
    createObject('/api/order/so-line/', { order: target, part: partKey, quantity, ...fields })

  const shipment = (target: number): Promise<number> =>
    createObject('/api/order/so/shipment/', { order: target, reference: String(++number) })

  /** Creates an order with one line for a part, and a shipment. */
  const sale = async (partKey: number, quantity = 10): Promise<Sale> => {
    const pk = await order()
    return { order: pk, line: await line(pk, partKey, quantity), shipment: await shipment(pk) }
  }

  /** Creates stock of a part, and returns its key. */
  const stock = (partKey: number, quantity: number, fields: Record<string, unknown> = {}): Promise<number> =>
    insertItem(service, { part: partKey, quantity: String(quantity), location: locations.shelf, ...fields })

  const allocate = (target: Sale, stock_item: number, quantity: number, more: object = {}) =>
    member.post(`/api/order/so/${target.order}/allocate/`, {
      items: [{ line_item: target.line, stock_item, quantity }],
      shipment: target.shipment,
      ...more,
    })

  const ship = (target: Sale, body: object = {}) => member.post(`/api/order/so/shipment/${target.shipment}/ship/`, body)

  /**
   * Asserts that every stored sum equals its recount, and that the shipped quantities of lines match their shipments.
   * @param recordsExist whether the shipments still exist; they may be deleted
   */
  const assertSums = async (recordsExist = true): Promise<void> => {
    for (const check of ['verify_quantities', 'verify_sales_line_counts', 'verify_allocations', 'verify_trees'])
      assert.deepEqual(await service.rows(`select * from ${check}()`), [], check)
    if (!recordsExist) return
    assert.deepEqual(
      await service.rows(
        `select line.pk from sales_order_line line where line.shipped <> (
           select coalesce(sum(quantity), 0) from sales_order_allocation where line = line.pk and not is_open
         )`,
      ),
      [],
      'shipped',
    )
  }

  return { part, customer, order, line, shipment, sale, stock, allocate, ship, assertSums }
}
