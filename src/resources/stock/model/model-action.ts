import type { Answer, Client, TestService } from '../../../testing/service.ts'
import { parts } from '../fixture.ts'

/**
 * What can happen to stock, and a model of it that knows nothing of how the service works: how much there is of a part follows from the
 * answers alone. Quantities are in thousandths.
 */

const nut = 7

/** Parts among which items may turn from one into another; how much there is of them together is followed. */
export const FAMILIES = [[parts.screw], [parts.board, parts.blueBoard, parts.redBoard], [parts.lamp], [nut]]

/**
 * Parts whose items may be counted, changed by hand and deleted while others work. What that brings depends on what was there at that
 * moment, which only the history tells.
 */
export const OVERWRITTEN = new Set([parts.lamp, nut])

export const TRACKABLE = new Set([parts.board, parts.blueBoard, parts.redBoard, parts.lamp])

/** One thing that happens, before it is known to what. */
export type Step = {
  action: string
  picks: [number, number, number]
  amount: number
  whole: number
  place: number
  flag: boolean
}

export type Item = { pk: number; part: number; quantity: number; serial: string | null; belongs_to: number | null }

/** Where it happens. */
export type World = {
  service: TestService
  /** A placed order with a line for each of some supplier parts. */
  order: number
  lines: { pk: number; part: number; pack: number }[]
  /** By family, how much there is by all answers. */
  expected: number[]
  /** By line, the packs that came by all answers. */
  received: Map<number, number>
  /** Sales orders, the last of which may be closed, with lines for some parts. */
  sales: { order: number; lines: { pk: number; part: number }[] }[]
  /** The part that build orders make. */
  chair: number
  /** How many return orders were made. */
  returns: number
  /** How many clients there are. */
  clients: number
  /** Scans that were done, by their keys in the history, and what each changed. */
  scans: { pk: number; changes: Change[] }[]
}

/** The parts among which items of a part may turn into each other. */
export const familyOf = (part: number): number[] => FAMILIES.find((parts) => parts.includes(part)) ?? []

/** A step to some items that are there; others may have changed them since. */
export type ModelAction = Step & { world: World; client: Client; items: Item[]; location: number }

/** How much more there is of a part because of it. */
export type Change = { part: number; by: number }

/** A request, and what it changes if it is answered well. Undefined when there is nothing that it could be done to. */
export type Done = { answer: Answer; changes?: Change[] } | undefined

export const quantityOf = ({ amount }: Step) => (amount / 1000).toFixed(3)
export const thousandths = (value: unknown) => Math.round(Number(value) * 1000)

/** What a step picks: `place` counts from 0. */
export const picked = (
  { picks, items }: ModelAction,
  place: 0 | 1 | 2,
  fits: (item: Item) => boolean = () => true,
): Item | undefined => {
  const fitting = items.filter(fits)
  return fitting[picks[place] % fitting.length]
}

/** Items that this step may overwrite: alone all, beside others those of which nothing else is followed. */
export const mayOverwrite =
  ({ world }: ModelAction) =>
  ({ part }: Item) =>
    world.clients === 1 || OVERWRITTEN.has(part)
