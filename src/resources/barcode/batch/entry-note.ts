import { invalid, Problem } from '../../../kit/request/problem.ts'
import { queryWithin, type RunQuery } from '../../../kit/sql/run-query.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { INSERT_SCANS, type ScanRow } from '../history/scan-row.ts'

/** Identifies an entry of a batch when it is sent again. */
export type EntryKey = { user: number; id: string; hash: Buffer }

/** Response to an entry: status, body and field errors as JSON, and its key in the history. */
export type EntryResponse = { status: number; body: string; field_errors: string; scan: number | null }

/** Returns the response to a rejected entry. */
export const toRejection = ({ status, body, fieldErrors }: Problem): Omit<EntryResponse, 'scan'> => ({
  status,
  body: JSON.stringify(body),
  field_errors: JSON.stringify(fieldErrors),
})

/** Thrown for an entry that was processed already, with its response. */
export class AlreadyProcessed extends Error {
  readonly response: EntryResponse

  constructor(response: EntryResponse) {
    super('the entry was already processed')
    this.response = response
  }
}

/** Response to an id that was used before with another entry. */
const ID_REUSED: EntryResponse = {
  ...toRejection(invalid({ id: [barcodeErrors.scan_id_reused] })),
  status: 422,
  scan: null,
}

/** Reads the response of an entry that was processed; undefined for one that was not. */
export async function readEntryResponse(read: RunQuery, { user, id, hash }: EntryKey): Promise<EntryResponse | undefined> {
  const [row] = await read<EntryResponse & { entry_hash: Buffer }>(
    `select entry_hash, status, body, coalesce(field_errors, '[]') as field_errors, scan from barcode_batch_entry where "user" = $1 and id = $2`,
    [user, id],
  )
  if (!row) return undefined
  const { entry_hash, ...response } = row
  return entry_hash.equals(hash) ? response : ID_REUSED
}

/**
 * Claims an entry in the transaction of its operation. A second request with its id waits here until the first has ended.
 * @throws AlreadyProcessed
 */
export async function claimEntry(tx: Tx, entry: EntryKey): Promise<void> {
  const claimed = await tx.first(
    'insert into barcode_batch_entry ("user", id, entry_hash) values ($1, $2, $3) on conflict do nothing returning id',
    [entry.user, entry.id, entry.hash],
  )
  if (claimed) return
  const response = await readEntryResponse(queryWithin(tx), entry)
  if (response) throw new AlreadyProcessed(response)
  // it was deleted by the cleanup between the two statements
  throw new Problem('conflict')
}

/** Stores the response of a claimed entry, and records its scan, if there is one to record. */
export async function saveEntryResponse(
  tx: Tx,
  { user, id }: EntryKey,
  scan: ScanRow | undefined,
  response: Omit<EntryResponse, 'scan'>,
): Promise<EntryResponse> {
  const insertedScan = scan && (await tx.first<{ pk: number }>(INSERT_SCANS, [JSON.stringify([scan])]))
  const pk = insertedScan?.pk ?? null
  await tx.query(
    'update barcode_batch_entry set status = $3, body = $4, field_errors = $5, scan = $6 where "user" = $1 and id = $2',
    [user, id, response.status, response.body, response.field_errors, pk],
  )
  return { ...response, scan: pk }
}
