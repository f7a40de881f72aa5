import assert from 'node:assert/strict'
import { insertItem, locations } from '../../resources/stock/fixture.ts'
import { checks } from '../../resources/stock/verification/checks.ts'
import type { TestService } from '../service.ts'
import { createObjectsAs } from './creates.ts'

/** A transfer order with one line, by their keys. */
export type Transfer = { order: number; line: number }

/** Transfer orders for tests, on the stock of `fillStock`: created by requests, so that all rules are enforced. */
export function createTransferHelpers(service: TestService) {
  const { member } = service
  let number = 0
  const createObject = createObjectsAs(member)

  /** Creates a part without stock. */
  const part = async (options: { trackable?: boolean; variant_of?: number; is_template?: boolean } = {}): Promise<number> => {
    const [row] = await service.rows(
      `insert into part (name, description, trackable, variant_of, is_template) values ($1, 'of tests', $2, $3, $4) returning pk`,
      [`Moved ${++number}`, options.trackable ?? false, options.variant_of ?? null, options.is_template ?? false],
    )
    return row.pk
  }

  const order = (fields: object = {}): Promise<number> =>
    createObject('/api/order/transfer-order/', { reference: `TO-${++number}`, destination: locations.garage, ...fields })

  const line = (target: number, partKey: number, quantity = 10, fields: object = {}): Promise<number> =>
    createObject('/api/order/transfer-order-line/', { order: target, part: partKey, quantity, ...fields })

  const act = (target: number, action: string, body: object = {}) =>
    member.post(`/api/order/transfer-order/${target}/${action}/`, body)

  /** Creates an issued order with one line for a part. */
  const transfer = async (partKey: number, quantity = 10, fields: object = {}): Promise<Transfer> => {
    const pk = await order(fields)
    const lineKey = await line(pk, partKey, quantity)
    assert.equal((await act(pk, 'issue')).status, 201)
    return { order: pk, line: lineKey }
  }

  /** Creates stock of a part, and returns its key. */
  const stock = (partKey: number, quantity: number | string, fields: Record<string, unknown> = {}): Promise<number> =>
    insertItem(service, { part: partKey, quantity: String(quantity), location: locations.shelf, ...fields })

  const allocate = (target: Transfer, stock_item: number, quantity: number | string, more: object = {}) =>
    act(target.order, 'allocate', { items: [{ line_item: target.line, stock_item, quantity }], ...more })

  const complete = (target: Transfer, accept_incomplete_allocation = false) =>
    act(target.order, 'complete', { accept_incomplete_allocation })

  /** Asserts that all checks of `npm run verify` find nothing. */
  const assertSums = async (): Promise<void> => {
    for (const { name, violationsQuery, applies } of checks)
      if (!applies && name !== 'row_totals' && name !== 'holdings')
        assert.deepEqual(await service.rows(violationsQuery), [], name)
  }

  return { part, order, line, act, transfer, stock, allocate, complete, assertSums }
}
