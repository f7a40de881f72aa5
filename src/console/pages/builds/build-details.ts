import build from 'facts:/api/build/'
import line from 'facts:/api/build/line/'
import { label, quantity, t } from '../../kit/language/language.ts'
import { type Page, withQuery } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { builtIn } from '../../kit/values/built-in.ts'
import { type Amount, compare, minus, sum, times } from '../../kit/values/exact.ts'
import type { PartBrief, State } from '../orders/order.ts'
import type { Flaw } from '../stock/free.tsx'
import type { StockItem } from '../stock/stock-details.tsx'

/** The most lines with tracked components that are looked through. */
const MOST_TRACKED = 200

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
  bom_item: number
  /** Of its order, how much is made. */
  build_detail?: { completed: number } | null
  part_detail: (PartBrief & { assembly: boolean; active: boolean }) | null
  bom_item_detail: {
    reference: string
    optional: boolean
    consumable: boolean
    allow_variants: boolean
    quantity: number
    substitutes: unknown[]
  } | null
  quantity: number
  allocated: number
  in_production: number
  /** Outstanding on purchase orders that were issued; with `incoming=true`. */
  incoming?: number
  total_available_stock: number
  flawed_stock?: Flaw[]
}

/** Some of a stock item that is put by for a line, as `/api/build/item/` has it. */
export type BuildItem = {
  pk: number
  etag?: string
  install_into: number | null
  stock_item: number
  quantity: number
  location_detail: { pathstring: string } | null
  part_detail: { pk: number; full_name: string; units: string | null } | null
  stock_item_detail: { serial: string | null; part: number } | null
}

/** Something that a build order makes, and that is not finished, with the results of its tests. */
export type Output = StockItem & { tests?: { template: number | null; result: boolean; date: string; pk: number }[] }

/** A test that every output has to pass. */
export type RequiredTest = { pk: number; test_name: string }

const PENDING = 10
const PRODUCTION = 20
export const CANCELLED = 30
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
export const facts: ResourceMetadata = {
  ...build,
  fields: { ...build.fields, status: { kind: 'choice', isReadOnly: true, choices: [PENDING, PRODUCTION, CANCELLED, COMPLETE] } },
}

export const lineFacts: ResourceMetadata = line

/** The fields of its forms, in their order. What is not here is under "More". */
export const FIELDS = ['part', 'quantity', 'title', 'target_date', 'take_from', 'destination', 'priority']

/** How much of a component is neither put by nor used up yet. Consumables are never put by. */
export const lacks = (line: BuildLine): number =>
  line.bom_item_detail?.consumable ? 0 : Math.max(0, Number(minus(minus(line.quantity, line.allocated), builtIn(line))))

/** Where the lines of a build order stand for which not as much is put by as they take. */
export const shortagesOf = (build: string | number | undefined) => {
  const open = { build, allocated: false, consumable: false }
  return {
    lacking: withQuery('/api/build/line/', { ...open, tracked: false, limit: 1 }),
    // the service does not tell what of these is built in already
    tracked: withQuery('/api/build/line/', { ...open, tracked: true, build_detail: true, limit: MOST_TRACKED }),
  }
}

/** How many of these lines lack something. */
export const countShortages = (others: Page<unknown>, tracked: Page<BuildLine>): number =>
  others.count + tracked.results.filter((line) => lacks(line) > 0).length

/** How much of a tracked component an output takes. */
export const takes = (line: BuildLine, output: Output): string => times(line.bom_item_detail?.quantity ?? 0, output.quantity)

/** What is asked where so much would be put by altogether: nothing unless it is more than needed. */
export const moreThanNeeded = (line: BuildLine, altogether: Amount, needed: Amount): string | undefined =>
  compare(altogether, needed) > 0
    ? t('builds.more-put-by', {
        sum: quantity(altogether, line.part_detail?.units),
        needed: quantity(needed, line.part_detail?.units),
      })
    : undefined

/** Whether there is too little of a component for what is left of a line. */
export const isShort = (line: BuildLine): boolean => line.total_available_stock < lacks(line)

/** How much of it no output was begun for. */
export const toBegin = (build: Build, outputs: readonly Output[]): number =>
  Math.max(0, Number(minus(build.quantity, sum([build.completed, ...outputs.map(({ quantity }) => quantity)]))))

/** The required tests that an output has not passed; of each test the newest result counts. */
export function failing({ tests = [] }: Output, required: readonly RequiredTest[]): readonly RequiredTest[] {
  return required.filter(({ pk }) => {
    const [newest] = tests
      .filter(({ template }) => template === pk)
      .sort((one, other) => other.date.localeCompare(one.date) || other.pk - one.pk)
    return !newest?.result
  })
}

/** What an output is called: by its serial number or batch, else by its key. */
export const outputName = ({ pk, serial, batch }: Pick<Output, 'pk' | 'serial' | 'batch'>): string =>
  serial ? `#${serial}` : batch ? `${label('batch')} ${batch}` : t('builds.output', { output: pk })
