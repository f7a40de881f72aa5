import build from 'facts:/api/build/'
import type { ResourceFacts } from '../../kit/facts.ts'
import type { PartBrief, State } from '../orders/order.ts'
import type { StockItem } from '../stock/stock-facts.tsx'

/** A build order, as `/api/build/` has it. */
export type Build = {
  pk: number
  reference: string
  title: string
  part: number
  part_detail: PartBrief | null
  quantity: number
  completed: number
  status: number
  status_text: string
  overdue: boolean
  batch: string | null
  priority: number
  creation_date: string | null
  target_date: string | null
  completion_date: string | null
  destination: number | null
  take_from: number | null
  sales_order: number | null
  parent: number | null
  link: string
  notes: string | null
  issued_by_detail: { username: string } | null
  responsible_detail: { name: string } | null
}

/** What a build order needs of one component, as `/api/build/line/` has it. */
export type BuildLine = {
  pk: number
  part_detail: PartBrief | null
  bom_item_detail: { reference: string; optional: boolean; consumable: boolean } | null
  quantity: number
  allocated: number
  allocations: { pk: number; quantity: number; stock_item: number; location_detail: { pathstring: string } | null }[]
  in_production: number
  on_order: number
  total_available_stock: number
}

/** Something that a build order makes, and that is not finished. */
export type Output = StockItem

const PENDING = 10
const PRODUCTION = 20
const CANCELLED = 30
const COMPLETE = 40

/** The states of a build order. */
export const STATES: Record<number, State> = {
  [PENDING]: { word: 'builds.pending' },
  [PRODUCTION]: { word: 'builds.production', tone: 'accent' },
  [CANCELLED]: { word: 'builds.cancelled', tone: 'bad' },
  [COMPLETE]: { word: 'builds.complete', tone: 'good' },
}

/** Whether it is worked on. */
export const isActive = ({ status }: Pick<Build, 'status'>): boolean => status === PENDING || status === PRODUCTION

/** What `/api/build/` has, with the states as choices. */
export const facts: ResourceFacts = {
  ...build,
  fields: { ...build.fields, status: { kind: 'choice', isReadOnly: true, choices: [PENDING, PRODUCTION, CANCELLED, COMPLETE] } },
}

/** The fields of its forms, in their order. What is not here is under "More". */
export const FIELDS = ['part', 'quantity', 'title', 'target_date', 'take_from', 'destination', 'priority']

/** Whether there is too little of a component for what is left of a line. */
export const isShort = ({ quantity, allocated, total_available_stock, bom_item_detail }: BuildLine): boolean =>
  !bom_item_detail?.consumable && total_available_stock < quantity - allocated
