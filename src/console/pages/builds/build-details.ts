import build from 'metadata:/api/build/'
import line from 'metadata:/api/build/line/'
import { formatWithUnit, label, t } from '../../kit/language/language.ts'
import { type Page, withQuery } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { calculateConsumed } from '../../kit/values/consumed-quantity.ts'
import { type Amount, compare, multiply, subtract, sumAmounts } from '../../kit/values/exact.ts'
import { ON_HOLD_STATUS, type PartBrief, type StatusStyle } from '../orders/order.ts'
import type { Flaw } from '../stock/available-quantity.tsx'
import type { StockItem } from '../stock/stock-details.tsx'

/** Maximum number of lines with tracked components that are checked. */
const MAX_TRACKED_LINES = 200

/** A build order, as in `/api/build/`. */
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
  /** The key of its custom state, otherwise that of its status. */
  status_custom_key?: number
  overdue: boolean
  batch: string | null
  priority: number
  creation_date: string | null
  start_date?: string | null
  target_date: string | null
  external?: boolean
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

/** The requirement of a build order for one component, as in `/api/build/line/`. */
export type BuildLine = {
  pk: number
  bom_item: number
  /** Completed quantity of its order. */
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
  consumed?: number
  allocated: number
  in_production: number
  /** Outstanding on issued purchase orders; with `incoming=true`. */
  incoming?: number
  total_available_stock: number
  flawed_stock?: Flaw[]
}

/** An allocation of a stock item to a line, as in `/api/build/item/`. */
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

/** An incomplete output of a build order, with its test results. */
export type Output = StockItem & { tests?: { template: number | null; result: boolean; date: string; pk: number }[] }

/** A test that every output has to pass. */
export type RequiredTest = { pk: number; test_name: string }

export const PENDING = 10
const PRODUCTION = 20
export const CANCELLED = 30
const COMPLETE = 40

/** The statuses of a build order. */
export const STATUSES: Record<number, StatusStyle> = {
  [PENDING]: { label: 'builds.pending' },
  [PRODUCTION]: { label: 'builds.production', tone: 'accent' },
  [ON_HOLD_STATUS]: { label: 'orders.on-hold', tone: 'warn' },
  [CANCELLED]: { label: 'builds.cancelled', tone: 'bad' },
  [COMPLETE]: { label: 'builds.complete', tone: 'good' },
}

/** Whether it is open. */
export const isActive = ({ status }: Pick<Build, 'status'>): boolean =>
  status === PENDING || status === PRODUCTION || status === ON_HOLD_STATUS

/** Whether outputs are made and stock is consumed: it is open, and not on hold. */
export const canProceed = (build: Pick<Build, 'status'>): boolean => isActive(build) && build.status !== ON_HOLD_STATUS

/** Metadata of `/api/build/`, with the statuses as choices. */
export const buildMetadata: ResourceMetadata = {
  ...build,
  fields: {
    ...build.fields,
    status: { kind: 'choice', isReadOnly: true, choices: [PENDING, PRODUCTION, ON_HOLD_STATUS, CANCELLED, COMPLETE] },
  },
}

export const buildLineMetadata: ResourceMetadata = line

/** The fields of its forms, in order. The others are under "More". */
export const FORM_FIELDS = ['part', 'quantity', 'title', 'target_date', 'take_from', 'destination', 'priority']

/** Quantity of a component that is neither allocated nor installed yet. Consumables are never allocated. */
export const calculateUnallocated = (line: BuildLine): number =>
  line.bom_item_detail?.consumable
    ? 0
    : Math.max(0, Number(subtract(subtract(line.quantity, line.allocated), calculateConsumed(line))))

/** URLs of a build order's lines that are not fully allocated. */
export const getUnallocatedUrls = (build: string | number | undefined) => {
  const filters = { build, allocated: false, consumable: false }
  return {
    untracked: withQuery('/api/build/line/', { ...filters, tracked: false, limit: 1 }),
    // what earlier versions installed follows from the completed quantity of the order
    tracked: withQuery('/api/build/line/', { ...filters, tracked: true, build_detail: true, limit: MAX_TRACKED_LINES }),
  }
}

/** Number of these lines that are not fully allocated. */
export const countUnallocated = (untracked: Page<unknown>, tracked: Page<BuildLine>): number =>
  untracked.count + tracked.results.filter((line) => calculateUnallocated(line) > 0).length

/** Quantity of a tracked component that an output requires. */
export const calculateOutputRequirement = (line: BuildLine, output: Output): string =>
  multiply(line.bom_item_detail?.quantity ?? 0, output.quantity)

/** Returns a warning if more than the required quantity would be allocated in total. */
export const getExcessWarning = (line: BuildLine, totalQuantity: Amount, requiredQuantity: Amount): string | undefined =>
  compare(totalQuantity, requiredQuantity) > 0
    ? t('builds.more-allocated', {
        sum: formatWithUnit(totalQuantity, line.part_detail?.units),
        needed: formatWithUnit(requiredQuantity, line.part_detail?.units),
      })
    : undefined

/**
 * Quantity of a component that is missing: neither allocated, nor installed, nor available. For the lines of one build order, only stock in
 * its source location is available.
 */
export const calculateShortage = (line: BuildLine): number =>
  Math.max(0, Number(subtract(calculateUnallocated(line), Math.max(0, line.total_available_stock))))

export const isShort = (line: BuildLine): boolean => calculateShortage(line) > 0

/** Quantity that is neither completed nor in an output. */
export const calculateRemaining = (build: Build, outputs: readonly Output[]): number =>
  Math.max(0, Number(subtract(build.quantity, sumAmounts([build.completed, ...outputs.map(({ quantity }) => quantity)]))))

/** The required tests that an output has not passed; for each test the newest result counts. */
export function findFailedTests({ tests = [] }: Output, required: readonly RequiredTest[]): readonly RequiredTest[] {
  return required.filter(({ pk }) => {
    const [newest] = tests.filter(({ template }) => template === pk).sort((a, b) => b.date.localeCompare(a.date) || b.pk - a.pk)
    return !newest?.result
  })
}

/** Name of an output: its serial number or batch, otherwise its key. */
export const formatOutputName = ({ pk, serial, batch }: Pick<Output, 'pk' | 'serial' | 'batch'>): string =>
  serial ? `#${serial}` : batch ? `${label('batch')} ${batch}` : t('builds.output', { output: pk })
