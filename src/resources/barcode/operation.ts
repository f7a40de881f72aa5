import { type Action, action, type Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import type { Access } from '../../kit/request/caller.ts'
import { FieldError } from '../../kit/request/errors.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { barcodeInput } from './barcode-input.ts'
import { INSERT_SCANS, type ScanOutcome, storesScans, toScanRow } from './history/scan-row.ts'
import { withEchoedBody } from './response-schema.ts'

/** A request that scans a code, in its transaction. */
export type ScanRequest<S extends Shape = Shape, Prepared = unknown> = Request<S> & {
  tx: Tx
  /** Result of `prepare`. */
  prepared: Prepared
  /** Time at which the client scanned the code, if it states one. The stock history records it too. */
  scannedAt?: string
}

/** An operation on a scanned code, which a batch can run too. */
export type Operation<S extends Shape = Shape, Prepared = unknown> = {
  /** Its name in batches and in the history. */
  name: string
  /** Access that callers need; the permission is `add`. */
  access: Access
  body: S
  /** Calls plugins with the code before the transaction begins; `run` rejects codes that were not found. Not called without a readable code. */
  prepare: (request: Request<Shape>, code: string) => Promise<Prepared>
  run: (request: ScanRequest<S, Prepared>) => Promise<ScanOutcome>
}

export const operation = <S extends Shape, Prepared>(definition: Operation<S, Prepared>): Operation =>
  definition as unknown as Operation

type OperationAction<S extends Shape = Shape, Prepared = unknown> = Operation<S, Prepared> &
  Pick<Action, 'path' | 'summary' | 'description' | 'errors' | 'example' | 'response'>

/** Defines an operation that has its own URL. */
export const operationAction = <S extends Shape, Prepared>(definition: OperationAction<S, Prepared>): OperationAction =>
  definition as unknown as OperationAction

/** Calls `prepare` of an operation, unless the code is unreadable: then the body will be rejected. */
export async function prepareOperation({ prepare }: Operation, request: Request<Shape>): Promise<unknown> {
  const code = readCode(request.raw.barcode, request)
  return code === '' ? undefined : prepare(request, code)
}

/** Turns an operation into an action. Every scan of a readable code is written to the history, including rejected ones, while the settings ask for it. */
export function toAction(operation: OperationAction): Action {
  const { name, path, body, response, run, ...described } = operation
  const describeScan = (request: Request<Shape>) => {
    const { caller, raw, body } = request
    return { action: name, endpoint: path, caller, raw, context: body, data: readCode(raw.barcode, request) }
  }
  return action({
    ...described,
    path,
    body,
    method: 'POST',
    response: withEchoedBody(response, body),
    prepare: (request) => prepareOperation(operation, request),
    async run(request) {
      const { tx, journal } = request
      const outcome = await run(request)
      if (!storesScans(request)) return outcome.reply
      const row = toScanRow({ ...describeScan(request), outcome })
      // a scan that only reads does not wait for the write
      if (tx.isOpen) tx.atCommit({ text: INSERT_SCANS, values: [JSON.stringify([row])] })
      else tx.after(() => journal.add({ insert: INSERT_SCANS, row }))
      return outcome.reply
    },
    async rejected(request, problem) {
      const row = toScanRow({ ...describeScan(request), problem })
      if (row.data !== '' && storesScans(request)) await request.journal.add({ insert: INSERT_SCANS, row })
    },
  })
}

/** Reads a code from a body and trims it; empty if it is unreadable. */
export function readCode(value: unknown, services: Services): string {
  if (value === undefined || value === null) return ''
  try {
    return barcodeInput.read(value, { references: [], services }, () => {})
  } catch (error) {
    if (error instanceof FieldError) return ''
    throw error
  }
}
