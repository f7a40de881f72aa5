import type { Client, TestResponse, TestService } from '../../../testing/service.ts'
import { parts } from '../fixture.ts'

/**
 * Actions on stock, and a model of stock that is independent of the service's implementation: it derives the quantity of a part from the
 * responses alone. Quantities are in thousandths.
 */

const nut = 7

/** Families of parts whose items can be converted into one another; the model tracks the total quantity of each family. */
export const FAMILIES = [[parts.screw], [parts.board, parts.blueBoard, parts.redBoard], [parts.lamp], [nut]]

/**
 * Parts whose items may be counted, edited and deleted while other clients change stock. The effect depends on the quantity at that time,
 * which only the history records.
 */
export const OVERWRITABLE_PARTS = new Set([parts.lamp, nut])

export const TRACKABLE_PARTS = new Set([parts.board, parts.blueBoard, parts.redBoard, parts.lamp])

/** One action, before its targets are chosen. */
export type Step = {
  action: string
  picks: [number, number, number]
  amount: number
  whole: number
  locationIndex: number
  flag: boolean
}

export type Item = { pk: number; part: number; quantity: number; serial: string | null; belongs_to: number | null }

/** The data that actions run on. */
export type ModelState = {
  service: TestService
  /** An issued purchase order with a line for each of several supplier parts. */
  order: number
  lines: { pk: number; part: number; pack: number }[]
  /** Expected quantity per family, according to all responses. */
  expected: number[]
  /** Packs received per line, according to all responses. */
  received: Map<number, number>
  /** Sales orders with lines for some parts; the last one may be closed. */
  sales: { order: number; lines: { pk: number; part: number }[] }[]
  /** The assembly that build orders build. */
  chair: number
  /** Number of return orders created. */
  returns: number
  /** Number of clients. */
  clients: number
  /** Completed scans by their keys in the history, and the changes of each. */
  scans: { pk: number; changes: Change[] }[]
}

/** Returns the parts into which items of a part can be converted. */
export const getFamily = (part: number): number[] => FAMILIES.find((parts) => parts.includes(part)) ?? []

/** A step with the existing items that it can act on; others may have changed them since. */
export type ModelAction = Step & { modelState: ModelState; client: Client; items: Item[]; location: number }

/** Increase in the quantity of a part. */
export type Change = { part: number; by: number }

/** A response, and the changes if the request succeeded. Undefined when there is nothing to act on. */
export type ActionResult = { response: TestResponse; changes?: Change[] } | undefined

export const toQuantity = ({ amount }: Step) => (amount / 1000).toFixed(3)
export const toThousandths = (value: unknown) => Math.round(Number(value) * 1000)

/** Picks an item for a step, with its random number at `pickIndex`. */
export const pickItem = (
  { picks, items }: ModelAction,
  pickIndex: 0 | 1 | 2,
  matches: (item: Item) => boolean = () => true,
): Item | undefined => {
  const candidates = items.filter(matches)
  return candidates[picks[pickIndex] % candidates.length]
}

/** Accepts items that this step may overwrite: all of them with one client, with several clients only those of the `OVERWRITABLE_PARTS`. */
export const canOverwrite =
  ({ modelState }: ModelAction) =>
  ({ part }: Item) =>
    modelState.clients === 1 || OVERWRITABLE_PARTS.has(part)
