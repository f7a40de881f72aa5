import type { Statement } from '../../database/text-query.ts'
import type { RunQuery } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { computeBarcodeKey } from './barcode-hash.ts'

export const ALREADY_RECEIVED = barcodeErrors.barcode_received

/** Whether the code belongs to a delivery that was received. */
export const isDeliveryReceived = async (read: RunQuery, text: string): Promise<boolean> =>
  (await read('select from received_code where key = $1 and is_delivery', [computeBarcodeKey(text)])).length > 0

/** Builds the statement that inserts the code of a received delivery. It returns no row if it was received before, including by a concurrent request. */
export const insertDelivery = (text: string): Statement => ({
  text: 'insert into received_code (key, is_delivery) values ($1, true) on conflict do nothing returning key',
  values: [computeBarcodeKey(text)],
})

/**
 * Records codes sent to the receive operation of an order. A code that is not known to identify a delivery is left open until it is scanned.
 * @param deliveries the codes that are known to identify deliveries (`findDeliveryCodes`)
 * @returns the codes of deliveries that were already received, including by a concurrent request
 */
export async function recordCodes(
  tx: Tx,
  texts: readonly string[],
  deliveries: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const codes = texts.map((text) => ({ text, key: computeBarcodeKey(text), is_delivery: deliveries.has(text) }))
  const inserted = await insertCodes(tx, codes)
  const previous = codes.filter(({ key }) => !inserted.has(key))
  if (previous.length === 0) return new Set()
  const rows = await tx.query<{ key: string }>('select key from received_code where key = any($1::text[]) and is_delivery', [
    previous.map(({ key }) => key),
  ])
  const received = new Set(rows.map(({ key }) => key))
  return new Set(previous.flatMap(({ text, key, is_delivery }) => (is_delivery || received.has(key) ? text : [])))
}

/** Deletes the records of codes whose receipt was undone, so that their labels can be received again. */
export const deleteDeliveries = (tx: Tx, texts: readonly string[]): Promise<unknown> =>
  tx.query('delete from received_code where key = any($1::text[])', [texts.map(computeBarcodeKey)])

/** Inserts the codes and returns the keys that were new. All requests insert in the same order, so that no two wait for each other. */
async function insertCodes(tx: Tx, codes: readonly { key: string; is_delivery: boolean }[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ key: string }>(
    `insert into received_code (key, is_delivery)
     select key, is_delivery from json_to_recordset($1::json) code (key text, is_delivery boolean) order by key
     on conflict do nothing returning key`,
    [JSON.stringify(codes)],
  )
  return new Set(rows.map(({ key }) => key))
}
