import type { Day } from './order.ts'

export type DemoBuild = {
  reference: string
  title: string
  /** IPN of what is made. */
  part: string
  quantity: number
  created: Day
  target?: Day
  /** The build order for which it makes something. */
  parent?: string
  sales_order?: string
  project?: string
  destination?: string
  batch?: string
  priority?: number
  cancelled?: Day
}

/** What the workshop makes, and meant to make. */
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
  },
  { reference: 'BO-0003', title: 'An oak Wren with a walnut lid', part: 'WREN-O', quantity: 1, created: -4, target: 30 },
  {
    reference: 'BO-0004',
    title: 'Three Robins for a festival that was called off',
    part: 'ROBIN',
    quantity: 3,
    created: -3,
    sales_order: 'SO-0005',
    cancelled: -2,
  },
]
