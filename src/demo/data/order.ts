/** A day, counted from today: -1 is yesterday. */
export type Day = number

type DemoLine = {
  SKU: string
  /** How many packs. The price follows from the supplier's price breaks. */
  packs: number
  reference?: string
  notes?: string
  destination?: string
  /** When the line is expected, if not with the order. */
  target?: Day
}

type DemoExtraLine = { description: string; reference?: string; price: string; currency: string; notes?: string }

/** What came of a line. A line may come in several parts. */
export type DemoReceipt = {
  /** Position of the line in the order, from 1. */
  line: number
  packs: number
  batch?: string
  serials?: string
  /** Stock status code; OK by default. */
  status?: number
}

/** What happens to an order after it was written. Whoever is not named is the buyer, and the storekeeper for goods that come. */
export type DemoOrderEvent =
  | { day: Day; act: 'issue' | 'cancel' }
  /** With lines that did not come in full. */
  | { day: Day; act: 'close' }
  /** Without a location, each line goes to its destination. */
  | { day: Day; act: 'receive'; location?: string; lines: DemoReceipt[] }
  /** Carries what lies in Goods in to where its category belongs, and what is not OK to Quarantine. */
  | { day: Day; act: 'put away' }

export type DemoOrder = {
  reference: string
  supplier: string
  supplier_reference?: string
  description: string
  /** Who writes it; the buyer by default. */
  by?: string
  created: Day
  target?: Day
  contact?: string
  project?: string
  /** An account or a group. */
  responsible?: string
  notes?: string
  lines: DemoLine[]
  extraLines?: DemoExtraLine[]
  events: DemoOrderEvent[]
}
