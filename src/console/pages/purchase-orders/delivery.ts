import { type Signal, signal } from '@preact/signals'
import { parseSerialNumbers, SerialNumberError } from '../../../resources/stock/serial/serial-numbers.ts'
import { errorText } from '../../kit/language/language.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { amountOf, tidy } from '../orders/order.ts'
import { UNDOABLE } from '../stock/undo.ts'
import { outstanding, type PurchaseLine, unitsOf } from './purchase-order-details.ts'

/** The received quantity of a line, as entered: a line may arrive in several batches or for several locations, with one entry each. */
export type Entry = {
  /** Its key on the page. */
  id: number
  line: PurchaseLine
  /** Number of packs, as typed. */
  packs: string
  serials: string
  batch: string
  /** Its location, if it differs from the default. */
  place: number | null
  /** Its errors, by the name of the field in the API. */
  errors: Record<string, readonly string[]>
}

/** A delivery that is received in one request: its entries, and the location for all entries without their own. */
export type Delivery = {
  entries: Signal<readonly Entry[]>
  /** The location for all entries without their own. */
  place: Signal<number | null>
}

let last = 0

const entryOf = (line: PurchaseLine, packs: string): Entry => ({
  id: ++last,
  line,
  packs,
  serials: '',
  batch: '',
  place: null,
  errors: {},
})

/** A delivery of everything that is outstanding. */
export const newDelivery = (lines: readonly PurchaseLine[]): Delivery => ({
  entries: signal(expected(lines).map((line) => entryOf(line, String(outstanding(line))))),
  place: signal(null),
})

/** The lines with outstanding quantities. A line without a part cannot be received. */
export const expected = (lines: readonly PurchaseLine[]): readonly PurchaseLine[] =>
  lines.filter((line) => line.part !== null && outstanding(line) > 0)

/** Adds another batch of the same line below it. */
export function another({ entries }: Delivery, entry: Entry): void {
  const at = entries.value.indexOf(entry)
  const remainder = outstanding(entry.line) - packsOfLine(entries.value, entry.line.pk)
  entries.value = entries.value.toSpliced(at + 1, 0, entryOf(entry.line, remainder > 0 ? String(tidy(remainder)) : ''))
}

/** Changes an entry, and clears the errors of the changed fields. */
export function set({ entries }: Delivery, id: number, change: Partial<Entry>): void {
  const names: Record<string, string> = { packs: 'quantity', serials: 'serial_numbers', batch: 'batch_code', place: 'location' }
  entries.value = entries.value.map((entry) => {
    if (entry.id !== id) return entry
    const errors = { ...entry.errors }
    for (const name of Object.keys(change)) delete errors[names[name] ?? name]
    return { ...entry, errors, ...change }
  })
}

/** Sets the location for all entries without their own, and clears the errors about locations. */
export function setDefaultLocation({ place, entries }: Delivery, pk: number | null): void {
  place.value = pk
  entries.value = entries.value.map(({ errors: { location: _, ...errors }, ...entry }) => ({ ...entry, errors }))
}

/** The number of packs typed; undefined if it is not a number. */
export function packsOf({ packs }: Entry): number | undefined {
  const amount = amountOf(packs)
  return amount === undefined ? undefined : Number(amount)
}

/** The total packs received for a line. */
const packsOfLine = (entries: readonly Entry[], line: number): number =>
  entries.reduce((sum, entry) => sum + (entry.line.pk === line ? (packsOf(entry) ?? 0) : 0), 0)

/** The quantity of an entry in base units. */
export const unitsIn = (entry: Entry): number => tidy((packsOf(entry) ?? 0) * unitsOf(entry.line))

/** The entries with a quantity other than 0. */
export const arrived = ({ entries }: Delivery): readonly Entry[] => entries.value.filter((entry) => packsOf(entry) !== 0)

/** The location that the goods of an entry go to; undefined if none is set. */
export const locationOf = ({ place }: Delivery, entry: Entry): number | undefined =>
  entry.place ?? place.value ?? entry.line.destination_detail?.pk ?? undefined

/** Lines with more received than ordered, and the number of excess packs. */
export function findOverReceived({ entries }: Delivery): { line: PurchaseLine; packs: number }[] {
  const lines = new Map(entries.value.map(({ line }) => [line.pk, line]))
  return [...lines.values()]
    .map((line) => ({ line, packs: tidy(packsOfLine(entries.value, line.pk) - outstanding(line)) }))
    .filter(({ packs }) => packs > 0)
}

/** Lines with so much less received than expected that a digit may be missing, and the number of packs received. */
export function findUnderReceived(delivery: Delivery): { line: PurchaseLine; packs: number }[] {
  const lines = new Map(arrived(delivery).map(({ line }) => [line.pk, line]))
  return [...lines.values()]
    .map((line) => ({ line, packs: tidy(packsOfLine(delivery.entries.value, line.pk)) }))
    .filter(({ line, packs }) => packs < outstanding(line) && isUnusual(String(packs), outstanding(line)))
}

/** Lines of trackable parts received without serial numbers. */
export const findMissingSerials = (delivery: Delivery): readonly PurchaseLine[] => [
  ...new Set(
    arrived(delivery)
      .filter(({ line, serials }) => line.part_detail?.trackable && serials.trim() === '')
      .map(({ line }) => line),
  ),
]

/**
 * Parses a text into serial numbers, by the grammar of the service; undefined if it is empty.
 * @param latest the serial number after which `~` continues
 */
export function serialsOf(entry: Entry, latest: string | null): { serials: string[] } | { wrong: string } | undefined {
  if (entry.serials.trim() === '') return undefined
  try {
    return parseSerialNumbers(entry.serials, unitsIn(entry), latest)
  } catch (error) {
    if (!(error instanceof SerialNumberError)) throw error
    return { wrong: error.messages.map(errorText).join(' ') }
  }
}

/** Serial numbers; only the first and the last if there are many. */
export const summarizeSerials = (serials: readonly string[]): string =>
  serials.length > 3 ? `${serials[0]}, ${serials[1]} … ${serials.at(-1)}` : serials.join(', ')

/** The serial numbers of an entry, as far as they are known without a request. */
export function serialsIn(entry: Entry): readonly string[] {
  const result = serialsOf(entry, null)
  return result && 'serials' in result ? result.serials : []
}

/** The body of the request. */
export const bodyOf = (delivery: Delivery, allowsMore: boolean, expected: (entry: Entry) => number | undefined) => ({
  items: arrived(delivery).map((entry) => ({
    line_item: entry.line.pk,
    quantity: amountOf(entry.packs),
    expected_received: expected(entry),
    serial_numbers: entry.serials.trim(),
    batch_code: entry.batch.trim(),
    location: entry.place ?? delivery.place.value,
  })),
  location: null,
  allow_over_receipt: allowsMore,
  ...UNDOABLE,
})
