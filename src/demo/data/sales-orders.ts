import type { Day } from './order.ts'

type DemoSalesLine = {
  /** IPN of the part. */
  part: string
  quantity: number
  /** Unit price, in the currency of the customer. */
  price: string
  notes?: string
}

export type DemoShipment = {
  reference: string
  tracking_number?: string
  /** The allocated serial numbers, by the position of their line in the order, from 1. */
  serials?: Record<number, string>
  /** The day it is shipped. */
  sent?: Day
}

export type DemoSalesOrder = {
  reference: string
  customer: string
  customer_reference?: string
  description: string
  created: Day
  target?: Day
  contact?: string
  project?: string
  lines: DemoSalesLine[]
  extraLines?: { description: string; price: string }[]
  issued?: Day
  cancelled?: Day
  shipments?: DemoShipment[]
}

const shop = { customer: 'Klangladen Ottensen', contact: 'Femi Adeyemi' }

/** Orders of customers. Femi uses references of his own. */
export const salesOrders: DemoSalesOrder[] = [
  {
    ...shop,
    reference: 'SO-0001',
    customer_reference: 'KO-311',
    description: 'Four Wrens for window display',
    created: -6,
    target: 7,
    project: 'WREN',
    lines: [
      { part: 'WREN-W', quantity: 2, price: '249' },
      { part: 'WREN-O', quantity: 2, price: '259', notes: 'Second unit on back order' },
    ],
    extraLines: [{ description: 'Parcel, insured', price: '14.90' }],
    issued: -6,
    shipments: [
      { reference: '1', tracking_number: '00340434161094', serials: { 1: '8,9' }, sent: -2 },
      { reference: '2', serials: { 2: '11' } },
    ],
  },
  {
    ...shop,
    reference: 'SO-0002',
    customer_reference: 'KO-312',
    description: 'Wrens for the spring fair',
    created: -5,
    target: 21,
    project: 'WREN',
    lines: [{ part: 'WREN-W', quantity: 4, price: '249' }],
    shipments: [{ reference: '1' }],
  },
  {
    ...shop,
    reference: 'SO-0003',
    description: 'First production Robin',
    created: -4,
    project: 'ROBIN',
    lines: [{ part: 'ROBIN', quantity: 1, price: '389' }],
  },
  {
    ...shop,
    reference: 'SO-0004',
    customer_reference: 'KO-315',
    description: 'One Wren for window display',
    created: -3,
    target: 60,
    lines: [{ part: 'WREN-W', quantity: 1, price: '249' }],
    extraLines: [{ description: 'Name engraving', price: '12' }],
    shipments: [{ reference: '1' }],
  },
  {
    ...shop,
    reference: 'SO-0005',
    description: 'Three Robins for a cancelled festival',
    created: -3,
    lines: [{ part: 'ROBIN', quantity: 3, price: '389' }],
    issued: -3,
    cancelled: -2,
  },
]
