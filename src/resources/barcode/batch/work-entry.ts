import type { Request } from '../../../kit/definition/action.ts'
import * as input from '../../../kit/definition/input.ts'
import { requireAccess } from '../../../kit/request/caller.ts'
import { translateDatabaseError } from '../../../kit/request/constraint.ts'
import { type Errors, listMessages } from '../../../kit/request/errors.ts'
import { invalid, Problem } from '../../../kit/request/problem.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import { isObject } from '../../../kit/values/json.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { toComparableText } from '../../../kit/writing/idempotency.ts'
import { parseBody } from '../../../kit/writing/read-body.ts'
import { SPECIFICATION_WIRE } from '../../../wire.ts'
import { barcodeErrors } from '../barcode-errors.ts'
import { storesScans, toScanRow } from '../history/scan-row.ts'
import { type Operation, prepareOperation, readCode } from '../operation.ts'
import {
  AlreadyProcessed,
  claimEntry,
  type EntryKey,
  type EntryResponse,
  readEntryResponse,
  saveEntryResponse,
  toRejection,
} from './entry-note.ts'
import { OPERATIONS } from './operations.ts'

/** Milliseconds by which the clock of a client may be fast. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000

/** Days for which a scan can be sent: one less than its id is stored, so that it is never processed after its id was deleted. */
export const MAX_SCAN_AGE_DAYS = 29

/** Fields of every entry. */
export const entryFields = {
  id: input.text({
    required: true,
    max: 100,
    help: 'An id chosen by the client, such as a UUID. It is unique among the entries of the account within 30 days.',
  }),
  time: input.datetime({
    required: true,
    help: `When it was scanned, by the clock of the client: within the last ${MAX_SCAN_AGE_DAYS} days.`,
  }),
  action: input.choice<string>(() => [...OPERATIONS.keys()].map((value) => ({ value, label: value })), {
    required: true,
    help: 'The operation on the barcode.',
  }),
} satisfies input.Shape

/** An entry's id and response. */
export type ProcessedEntry = EntryResponse & { id: string | null }

/**
 * Processes an entry of a batch in a transaction of its own, or returns its stored response if it was processed before. A rejection is a
 * response, and is stored as such.
 * @throws Problem if it can be processed later, such as 409 and 503: nothing of it is stored
 */
export async function processEntry(originalRequest: Request<input.Shape>, entryBody: unknown): Promise<ProcessedEntry> {
  // no existing client uses batches: the response is the same in both forms of the API
  const request = { ...originalRequest, config: { ...originalRequest.config, wire: SPECIFICATION_WIRE } }
  const rejectEntry = (errors: Errors): ProcessedEntry => ({ id: null, ...toRejection(invalid(errors)), scan: null })
  if (!isObject(entryBody)) return rejectEntry({ non_field_errors: [valueErrors.object_expected] })
  const { values, errors } = input.readShape(entryFields, entryBody, { references: [], services: request })
  if (errors.id) return rejectEntry({ id: errors.id })
  const id = values.id as string
  const entry: EntryKey = {
    user: request.caller.pk,
    id,
    hash: request.secrets.digest('barcode batch', toComparableText(entryBody)),
  }
  const storedResponse = await readEntryResponse(queryThrough(request), entry)
  if (storedResponse) return { id, ...storedResponse }
  try {
    return { id, ...(await processNewEntry(request, entry, entryBody, { values, errors })) }
  } catch (error) {
    if (error instanceof AlreadyProcessed) return { id, ...error.response }
    throw error
  }
}

type ReadFields = Pick<ReturnType<typeof input.readShape>, 'values' | 'errors'>

async function processNewEntry(
  request: Request<input.Shape>,
  entry: EntryKey,
  entryBody: Readonly<Record<string, unknown>>,
  { values, errors }: ReadFields,
): Promise<EntryResponse> {
  const { database, caller } = request
  const { id: _id, time: _time, action: _action, ...raw } = entryBody
  const scanned = values.time as string | undefined
  let context: Readonly<Record<string, unknown>> = {}
  const describeScan = () => ({
    caller,
    action: (values.action as string | undefined) ?? '',
    endpoint: '/api/barcode/batch/',
    data: readCode(raw.barcode, request),
    raw,
    context,
    batch_id: entry.id,
    scanned,
  })
  try {
    checkTime(scanned, errors)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const operation = OPERATIONS.get(values.action as string) as Operation
    requireAccess(operation.access, caller, 'add')
    const body = await parseBody(request, operation.body, raw)
    context = body
    const prepared = await prepareOperation(operation, { ...request, raw })
    return await database.transaction(async (tx) => {
      await claimEntry(tx, entry)
      tx.lockShared()
      const outcome = await operation.run({ ...request, raw, body, prepared, tx, scannedAt: scanned })
      const { status, value } = outcome.reply
      return saveEntryResponse(tx, entry, storesScans(request) ? toScanRow({ ...describeScan(), outcome }) : undefined, {
        status,
        body: JSON.stringify(value ?? {}),
        field_errors: JSON.stringify(listMessages(value)),
      })
    }, caller.pk)
  } catch (error) {
    const problem = translateDatabaseError(error)
    if (!(problem instanceof Problem) || !isFinal(problem)) throw error
    return database.transaction(async (tx) => {
      await claimEntry(tx, entry)
      const scan = storesScans(request) ? toScanRow({ ...describeScan(), problem }) : undefined
      return saveEntryResponse(tx, entry, scan, toRejection(problem))
    })
  }
}

/** Whether the rejection is final, rather than temporary. */
const isFinal = ({ status }: Problem): boolean => status < 500 && status !== 409 && status !== 429

function checkTime(time: string | undefined, errors: Errors): void {
  if (time === undefined) return
  const age = Date.now() - Date.parse(time)
  if (age < -MAX_CLOCK_SKEW_MS) errors.time = [barcodeErrors.scan_in_future]
  if (age > MAX_SCAN_AGE_DAYS * 86_400_000) errors.time = [barcodeErrors.scan_too_old({ max_days: MAX_SCAN_AGE_DAYS })]
}
