import type { Day } from './order.ts'

export type DemoTransferOrder = {
  reference: string
  description: string
  created: Day
  from?: string
  to?: string
  consume?: boolean
  lines: { part: string; quantity: number; allocated?: number[] }[]
  issued?: Day
}

/** Orders to move stock within the workshop, or to consume it. */
export const transferOrders: DemoTransferOrder[] = [
  {
    reference: 'TO-0001',
    description: 'Connectors for Robin repairs',
    created: -1,
    from: 'Shelf A',
    to: 'Test bench',
    lines: [
      { part: 'J-35-OLD', quantity: 6, allocated: [2, 1] },
      { part: 'WREN-W', quantity: 2 },
    ],
    issued: -1,
  },
  {
    reference: 'TO-0002',
    description: 'Kits for the next batch',
    created: -1,
    to: 'Assembly bench',
    lines: [{ part: 'J-35', quantity: 1 }],
  },
  { reference: 'TO-0003', description: 'Boxes for the fair', created: -1, to: 'Packing table', lines: [] },
  { reference: 'TO-0004', description: 'Duplicate order', created: -1, lines: [] },
  { reference: 'TO-0005', description: 'Samples for a training course', created: -1, consume: true, lines: [], issued: -1 },
  { reference: 'TO-0006', description: 'Clear shelf', created: -1, lines: [] },
]
