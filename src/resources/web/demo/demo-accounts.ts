import type { Right } from '../../../kit/request/caller.ts'

/** The password of every account of the demo. The README states it: the demo is for evaluation, not for real stock. */
export const PASSWORD = 'stockroom'

/** The superuser, whose account sets up the workshop. */
export const OWNER = 'demo'

export type DemoGroup = {
  name: string
  /** Permissions of its members beyond viewing everything, by role. */
  rights: Record<string, Right[]>
}

export const groups: DemoGroup[] = [
  {
    name: 'Purchasing',
    rights: { purchase_order: ['add', 'change', 'delete'], part: ['add', 'change'], part_category: ['add', 'change'] },
  },
  {
    name: 'Stores',
    // receiving goods is an action of the order, which requires the permission to add
    rights: { stock: ['add', 'change', 'delete'], stock_location: ['add', 'change'], purchase_order: ['add'] },
  },
]

export type DemoAccount = {
  username: string
  first_name: string
  last_name: string
  email: string
  superuser: boolean
  /** Their job, in a few words. */
  job: string
  groups: string[]
}

export const accounts: DemoAccount[] = [
  {
    username: OWNER,
    first_name: 'Ada',
    last_name: 'Finch',
    email: 'ada@songbird.example',
    superuser: true,
    job: 'who builds the instruments: may do everything',
    groups: [],
  },
  {
    username: 'buyer',
    first_name: 'Mira',
    last_name: 'Holt',
    email: 'mira@songbird.example',
    superuser: false,
    job: 'who orders: writes orders, parts and companies',
    groups: ['Purchasing'],
  },
  {
    username: 'storekeeper',
    first_name: 'Jonas',
    last_name: 'Veit',
    email: 'jonas@songbird.example',
    superuser: false,
    job: 'who keeps the stock: receives, moves and counts',
    groups: ['Stores'],
  },
]
