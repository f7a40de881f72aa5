import type { Day } from './order.ts'

export type DemoBuild = {
  reference: string
  title: string
  /** IPN of the assembly. */
  part: string
  quantity: number
  created: Day
  target?: Day
  /** Reference of the parent build order. */
  parent?: string
  sales_order?: string
  project?: string
  destination?: string
  batch?: string
  priority?: number
  /** The day stock was allocated. */
  allocated?: Day
  /** The day outputs were created, with their serial numbers; then the day the first ones were completed, and how many. */
  startedOutputs?: { day: Day; serials: string; batch: string }
  completed?: { day: Day; first: number; location: string }
  /** The day it was completed, which consumes the allocated stock. */
  finished?: Day
  cancelled?: Day
}

/** The build orders of the workshop, including canceled ones. */
export const builds: DemoBuild[] = [
  {
    reference: 'BO-0001',
    title: 'Wrens for the spring fair',
    part: 'WREN-W',
    quantity: 4,
    created: -5,
    target: 14,
    sales_order: 'SO-0002',
    project: 'WREN',
    destination: 'Finished instruments',
    batch: 'Batch 3',
    priority: 2,
  },
  {
    reference: 'BO-0002',
    title: 'Boards for the spring fair',
    part: 'A-WREN',
    quantity: 10,
    created: -5,
    target: 7,
    parent: 'BO-0001',
    project: 'WREN',
    destination: 'Assembly bench',
    allocated: -4,
  },
  { reference: 'BO-0003', title: 'Custom Wren, oak with walnut lid', part: 'WREN-O', quantity: 1, created: -4, target: 30 },
  {
    reference: 'BO-0004',
    title: 'Three Robins for a cancelled festival',
    part: 'ROBIN',
    quantity: 3,
    created: -3,
    sales_order: 'SO-0005',
    cancelled: -2,
  },
  {
    reference: 'BO-0005',
    title: 'Wrens for Klangladen',
    part: 'WREN-O',
    quantity: 6,
    created: -4,
    target: 3,
    project: 'WREN',
    destination: 'Finished instruments',
    startedOutputs: { day: -3, serials: '51-56', batch: 'Batch 2' },
    completed: { day: -1, first: 2, location: 'Finished instruments' },
  },
  {
    reference: 'BO-0006',
    title: 'Robin board for testing',
    part: 'A-ROBIN',
    quantity: 1,
    created: -1,
  },
  {
    reference: 'BO-0007',
    title: 'Spare board for repairs',
    part: 'A-WREN',
    quantity: 1,
    created: -1,
    target: 0,
    destination: 'Assembly bench',
    allocated: -1,
    startedOutputs: { day: -1, serials: '60', batch: 'Spare' },
    completed: { day: -1, first: 1, location: 'Assembly bench' },
    finished: -1,
  },
]
