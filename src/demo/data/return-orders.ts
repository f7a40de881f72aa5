import type { Day } from './order.ts'

export type DemoReturnOrder = {
  reference: string
  customer: string
  customer_reference?: string
  description: string
  created: Day
  target?: Day
  contact?: string
  /** IPN and serial number of the returned item, and the customer's remark. */
  lines: { part: string; serial: string; notes?: string }[]
  extraLines?: { description: string; price: string }[]
  issued?: Day
}

const shop = { customer: 'Klangladen Ottensen', contact: 'Femi Adeyemi' }

/** Return orders of customers. */
export const returnOrders: DemoReturnOrder[] = [
  {
    ...shop,
    reference: 'RMA-0001',
    customer_reference: 'KO-311-R',
    description: 'Wren drifts out of tune',
    created: -1,
    target: 14,
    lines: [{ part: 'WREN-W', serial: '8', notes: 'Pitch too high after one hour' }],
    extraLines: [{ description: 'Postage refund', price: '-6.90' }],
    issued: -1,
  },
  {
    ...shop,
    reference: 'RMA-0002',
    description: 'Scratched case',
    created: -1,
    lines: [{ part: 'WREN-W', serial: '9' }],
    extraLines: [{ description: 'Courier collection', price: '9.50' }],
  },
  { ...shop, reference: 'RMA-0003', description: 'Display unit, return to be confirmed', created: -1, lines: [] },
  { ...shop, reference: 'RMA-0004', description: 'No fault found', created: -1, lines: [], issued: -1 },
]
