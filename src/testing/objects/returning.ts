import assert from 'node:assert/strict'
import { insertItem } from '../../resources/stock/fixture.ts'
import type { TestService } from '../service.ts'
import { createObjectsAs } from './creates.ts'
import { createSalesHelpers } from './selling.ts'

/** Return orders for tests, on the stock of `fillStock`: created by requests, so that all rules are enforced. */
export function createReturnHelpers(service: TestService) {
  const { member } = service
  const { part, customer } = createSalesHelpers(service)
  let number = 0

  const createObject = createObjectsAs(member)

  /** Creates a serialized item that was sold to a customer. */
  const sold = async (fields: Record<string, unknown> = {}): Promise<number> =>
    insertItem(service, {
      part: await part({ trackable: true }),
      serial: String(++number),
      quantity: '1',
      location: null,
      customer: await customer(),
      ...fields,
    })

  const order = async (fields: object = {}): Promise<number> =>
    createObject('/api/order/ro/', { reference: `RMA-${++number}`, customer: await customer(), ...fields })

  const line = (key: number, item: number, fields: object = {}): Promise<number> =>
    createObject('/api/order/ro-line/', { order: key, item, ...fields })

  const issue = (key: number) => member.post(`/api/order/ro/${key}/issue/`)

  /** Creates a return order in progress with one line for a customer's item. */
  const coming = async (item?: number): Promise<{ order: number; line: number; item: number }> => {
    const pk = await order()
    const itemKey = item ?? (await sold())
    const key = await line(pk, itemKey)
    assert.equal((await issue(pk)).status, 201)
    return { order: pk, line: key, item: itemKey }
  }

  const receive = (key: number, lines: readonly number[], location: number) =>
    member.post(`/api/order/ro/${key}/receive/`, { items: lines.map((item) => ({ item })), location })

  return { part, customer, sold, order, line, issue, coming, receive }
}
