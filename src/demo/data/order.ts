/** A day relative to today: -1 is yesterday. */
export type Day = number

type DemoLine = {
  SKU: string
  /** Number of packs. The price follows from the supplier's price breaks. */
  packs: number
  reference?: string
  notes?: string
  destination?: string
  /** Target date of the line, if it differs from that of the order. */
  target?: Day
}

type DemoExtraLine = { description: string; reference?: string; price: string; currency: string; notes?: string }

/** A receipt of a line. A line may be received in several parts. */
export type DemoReceipt = {
  /** Position of the line in the order, from 1. */
  line: number
  packs: number
  batch?: string
  serials?: string
  /** Stock status code; OK by default. */
  status?: number
}

/** An event in the life of an order. The default account is the buyer, and the storekeeper for receipts. */
export type DemoOrderEvent =
  | { day: Day; act: 'issue' | 'cancel' }
  /** Completes an order with lines that were not received in full. */
  | { day: Day; act: 'close' }
  /** Without a location, each line goes to its destination. */
  | { day: Day; act: 'receive'; location?: string; lines: DemoReceipt[] }
  /** Moves the stock in Goods in to the default locations of its categories, and stock that is not OK to Quarantine. */
  | { day: Day; act: 'put away' }

export type DemoOrder = {
  reference: string
  supplier: string
  supplier_reference?: string
  description: string
  /** Account that creates it; the buyer by default. */
  createdBy?: string
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
