import type { Right } from '../../kit/request/caller.ts'

/** The password of every account of the demo. It stands in the README: the demo is for looking at, not for real stock. */
export const PASSWORD = 'stockroom'

/** The superuser, under whose name the workshop is set up. */
export const OWNER = 'demo'

export type DemoGroup = {
  name: string
  /** What its members may do beyond looking at everything, by role. */
  rights: Record<string, Right[]>
}

export const groups: DemoGroup[] = [
  {
    name: 'Purchasing',
    rights: { purchase_order: ['add', 'change', 'delete'], part: ['add', 'change'], part_category: ['add', 'change'] },
  },
  {
    name: 'Stores',
    // to receive goods is an action of the order, which the right to add allows
    rights: { stock: ['add', 'change', 'delete'], stock_location: ['add', 'change'], purchase_order: ['add'] },
  },
]

export type DemoAccount = {
  username: string
  first_name: string
  last_name: string
  email: string
  superuser: boolean
  /** What they do, in a few words. */
  does: string
  groups: string[]
}

export const accounts: DemoAccount[] = [
  {
    username: OWNER,
    first_name: 'Ada',
    last_name: 'Finch',
    email: 'ada@songbird.example',
    superuser: true,
    does: 'who builds the instruments: may do everything',
    groups: [],
  },
  {
    username: 'buyer',
    first_name: 'Mira',
    last_name: 'Holt',
    email: 'mira@songbird.example',
    superuser: false,
    does: 'who orders: writes orders, parts and companies',
    groups: ['Purchasing'],
  },
  {
    username: 'storekeeper',
    first_name: 'Jonas',
    last_name: 'Veit',
    email: 'jonas@songbird.example',
    superuser: false,
    does: 'who keeps the stock: receives, moves and counts',
    groups: ['Stores'],
  },
]
