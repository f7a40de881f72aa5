import assert from 'node:assert/strict'
import { placeItem } from '../../resources/stock/fixture.ts'
import type { TestService } from '../service.ts'
import { createObjectsAs } from './creates.ts'
import { selling } from './selling.ts'

/** Return orders for tests, on the stock of `fillStock`: created by requests, so that all rules are enforced. */
export function returning(service: TestService) {
  const { member } = service
  const { part, customer } = selling(service)
  let number = 0

  const createObject = createObjectsAs(member)

  /** Creates a serialized item that was sold to a customer. */
  const sold = async (fields: Record<string, unknown> = {}): Promise<number> =>
    placeItem(service, {
      part: await part({ trackable: true }),
      serial: String(++number),
      quantity: '1',
      location: null,
      customer: await customer(),
      ...fields,
    })

  const order = async (fields: object = {}): Promise<number> =>
    createObject('/api/order/ro/', { reference: `RMA-${++number}`, customer: await customer(), ...fields })

  const line = (of: number, item: number, fields: object = {}): Promise<number> =>
    createObject('/api/order/ro-line/', { order: of, item, ...fields })

  const issue = (of: number) => member.post(`/api/order/ro/${of}/issue/`)

  /** Creates a return order in progress with one line for a customer's item. */
  const coming = async (item?: number): Promise<{ order: number; line: number; item: number }> => {
    const pk = await order()
    const back = item ?? (await sold())
    const of = await line(pk, back)
    assert.equal((await issue(pk)).status, 201)
    return { order: pk, line: of, item: back }
  }

  const receive = (of: number, lines: readonly number[], location: number) =>
    member.post(`/api/order/ro/${of}/receive/`, { items: lines.map((item) => ({ item })), location })

  return { part, customer, sold, order, line, issue, coming, receive }
}
