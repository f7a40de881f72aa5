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
    description: 'A Wren that drifts out of tune',
    created: -1,
    target: 14,
    lines: [{ part: 'WREN-W', serial: '8', notes: 'A fifth too high after an hour' }],
    extraLines: [{ description: 'Postage paid back', price: '-6.90' }],
    issued: -1,
  },
  {
    ...shop,
    reference: 'RMA-0002',
    description: 'A scratch on a case',
    created: -1,
    lines: [{ part: 'WREN-W', serial: '9' }],
    extraLines: [{ description: 'Collected by courier', price: '9.50' }],
  },
  { ...shop, reference: 'RMA-0003', description: 'Perhaps the Wren from the window', created: -1, lines: [] },
  { ...shop, reference: 'RMA-0004', description: 'Was only switched off', created: -1, lines: [], issued: -1 },
]
