import { type Signal, signal } from '@preact/signals'
import { parseSerialNumbers, SerialNumberError } from '../../../notation/serial/serial-numbers.ts'
import { errorText } from '../../kit/language/language.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { parseAmount, roundQuantity } from '../orders/order.ts'
import { UNDOABLE } from '../stock/undo.ts'
import { getOutstanding, getUnitsPerPack, type PurchaseLine } from './purchase-order-details.ts'

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
  location: number | null
  /** Its errors, by the name of the field in the API. */
  errors: Record<string, readonly string[]>
}

/** A delivery that is received in one request: its entries, and the location for all entries without their own. */
export type ReceiptForm = {
  entries: Signal<readonly Entry[]>
  /** The location for all entries without their own. */
  defaultLocation: Signal<number | null>
}

let lastEntryId = 0

const createEntry = (line: PurchaseLine, packs: string): Entry => ({
  id: ++lastEntryId,
  line,
  packs,
  serials: '',
  batch: '',
  location: null,
  errors: {},
})

/** A delivery of everything that is outstanding. */
export const createDelivery = (lines: readonly PurchaseLine[]): ReceiptForm => ({
  entries: signal(listExpectedLines(lines).map((line) => createEntry(line, String(getOutstanding(line))))),
  defaultLocation: signal(null),
})

/** The lines with outstanding quantities. A line without a part cannot be received. */
export const listExpectedLines = (lines: readonly PurchaseLine[]): readonly PurchaseLine[] =>
  lines.filter((line) => line.part !== null && getOutstanding(line) > 0)

/** Adds another batch of the same line below it. */
export function addBatch({ entries }: ReceiptForm, entry: Entry): void {
  const index = entries.value.indexOf(entry)
  const remainder = getOutstanding(entry.line) - sumPacks(entries.value, entry.line.pk)
  entries.value = entries.value.toSpliced(
    index + 1,
    0,
    createEntry(entry.line, remainder > 0 ? String(roundQuantity(remainder)) : ''),
  )
}

/** Changes an entry, and clears the errors of the changed fields. */
export function updateEntry({ entries }: ReceiptForm, id: number, change: Partial<Entry>): void {
  const names: Record<string, string> = { packs: 'quantity', serials: 'serial_numbers', batch: 'batch_code' }
  entries.value = entries.value.map((entry) => {
    if (entry.id !== id) return entry
    const errors = { ...entry.errors }
    for (const name of Object.keys(change)) delete errors[names[name] ?? name]
    return { ...entry, errors, ...change }
  })
}

/** Sets the location for all entries without their own, and clears the errors about locations. */
export function setDefaultLocation({ defaultLocation, entries }: ReceiptForm, pk: number | null): void {
  defaultLocation.value = pk
  entries.value = entries.value.map(({ errors: { location: _, ...errors }, ...entry }) => ({ ...entry, errors }))
}

/** The number of packs typed; undefined if it is not a number. */
export function parsePacks({ packs }: Entry): number | undefined {
  const amount = parseAmount(packs)
  return amount === undefined ? undefined : Number(amount)
}

/** The total packs received for a line. */
const sumPacks = (entries: readonly Entry[], line: number): number =>
  entries.reduce((sum, entry) => sum + (entry.line.pk === line ? (parsePacks(entry) ?? 0) : 0), 0)

/** The quantity of an entry in base units. */
export const getBaseUnits = (entry: Entry): number => roundQuantity((parsePacks(entry) ?? 0) * getUnitsPerPack(entry.line))

/** The entries with a quantity other than 0. */
export const listReceivedEntries = ({ entries }: ReceiptForm): readonly Entry[] =>
  entries.value.filter((entry) => parsePacks(entry) !== 0)

/** The location that the goods of an entry go to; undefined if none is set. */
export const getLocation = ({ defaultLocation }: ReceiptForm, entry: Entry): number | undefined =>
  entry.location ?? defaultLocation.value ?? entry.line.destination_detail?.pk ?? undefined

/** Lines with more received than ordered, and the number of excess packs. */
export function findOverReceived({ entries }: ReceiptForm): { line: PurchaseLine; packs: number }[] {
  const lines = new Map(entries.value.map(({ line }) => [line.pk, line]))
  return [...lines.values()]
    .map((line) => ({ line, packs: roundQuantity(sumPacks(entries.value, line.pk) - getOutstanding(line)) }))
    .filter(({ packs }) => packs > 0)
}

/** Lines with so much less received than expected that a digit may be missing, and the number of packs received. */
export function findUnderReceived(delivery: ReceiptForm): { line: PurchaseLine; packs: number }[] {
  const lines = new Map(listReceivedEntries(delivery).map(({ line }) => [line.pk, line]))
  return [...lines.values()]
    .map((line) => ({ line, packs: roundQuantity(sumPacks(delivery.entries.value, line.pk)) }))
    .filter(({ line, packs }) => packs < getOutstanding(line) && isUnusual(String(packs), getOutstanding(line)))
}

/** Lines of trackable parts received without serial numbers. */
export const findMissingSerials = (delivery: ReceiptForm): readonly PurchaseLine[] => [
  ...new Set(
    listReceivedEntries(delivery)
      .filter(({ line, serials }) => line.part_detail?.trackable && serials.trim() === '')
      .map(({ line }) => line),
  ),
]

/**
 * Parses serial numbers by the grammar of the service; undefined if the text is empty.
 * @param latest the serial number after which `~` continues
 */
export function parseSerials(entry: Entry, latest: string | null): { serials: string[] } | { wrong: string } | undefined {
  if (entry.serials.trim() === '') return undefined
  try {
    return parseSerialNumbers(entry.serials, getBaseUnits(entry), latest)
  } catch (error) {
    if (!(error instanceof SerialNumberError)) throw error
    return { wrong: error.messages.map(errorText).join(' ') }
  }
}

/** Serial numbers as text; only the first two and the last if there are many. */
export const summarizeSerials = (serials: readonly string[]): string =>
  serials.length > 3 ? `${serials[0]}, ${serials[1]} … ${serials.at(-1)}` : serials.join(', ')

/** The serial numbers of an entry, as far as they are known without a request. */
export function listKnownSerials(entry: Entry): readonly string[] {
  const result = parseSerials(entry, null)
  return result && 'serials' in result ? result.serials : []
}

/** The body of the request that receives a delivery. */
export const buildReceiptBody = (
  delivery: ReceiptForm,
  allowsOverReceipt: boolean,
  getExpected: (entry: Entry) => number | undefined,
) => ({
  items: listReceivedEntries(delivery).map((entry) => ({
    line_item: entry.line.pk,
    quantity: parseAmount(entry.packs),
    expected_received: getExpected(entry),
    serial_numbers: entry.serials.trim(),
    batch_code: entry.batch.trim(),
    location: entry.location ?? delivery.defaultLocation.value,
  })),
  location: null,
  allow_over_receipt: allowsOverReceipt,
  ...UNDOABLE,
})
