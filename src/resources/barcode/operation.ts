import { type Action, action, type Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import type { Access } from '../../kit/request/caller.ts'
import { FieldError } from '../../kit/request/errors.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { barcodeInput } from './barcode-input.ts'
import { INSERT_SCANS, type ScanOutcome, scanRow } from './history/scan-row.ts'
import { withEchoedBody } from './response-schema.ts'

/** A request that scans a code, in its transaction. */
export type ScanRequest<S extends Shape = Shape, Asked = unknown> = Request<S> & {
  tx: Tx
  /** Result of `ask`. */
  prepared: Asked
  /** Time at which the client scanned the code, if it states one. The stock history records it too. */
  scannedAt?: string
}

/** An operation on a scanned code, which a batch can run too. */
export type Operation<S extends Shape = Shape, Asked = unknown> = {
  /** Its name in batches and in the history. */
  name: string
  /** Access that callers need; the right is `add`. */
  access: Access
  body: S
  /** Calls plugins with the code before the transaction begins; `run` rejects codes that were not found. Not called without a readable code. */
  prepare: (request: Request<Shape>, code: string) => Promise<Asked>
  run: (request: ScanRequest<S, Asked>) => Promise<ScanOutcome>
}

export const operation = <S extends Shape, Asked>(definition: Operation<S, Asked>): Operation =>
  definition as unknown as Operation

type OperationAction<S extends Shape = Shape, Asked = unknown> = Operation<S, Asked> &
  Pick<Action, 'path' | 'summary' | 'description' | 'errors' | 'example' | 'response'>

/** Defines an operation that has its own URL. */
export const operationAction = <S extends Shape, Asked>(definition: OperationAction<S, Asked>): OperationAction =>
  definition as unknown as OperationAction

/** Calls `ask` of an operation, unless the code is unreadable: then the body will be rejected. */
export async function prepareOperation({ prepare: ask }: Operation, request: Request<Shape>): Promise<unknown> {
  const code = codeOf(request.raw.barcode, request)
  return code === '' ? undefined : ask(request, code)
}

/** Turns an operation into an action. Every scan of a readable code is written to the history, including rejected ones. */
export function actionOf(operation: OperationAction): Action {
  const { name, path, body, response, run, ...described } = operation
  const scanOf = (request: Request<Shape>) => {
    const { caller, raw, body } = request
    return { action: name, endpoint: path, caller, raw, context: body, data: codeOf(raw.barcode, request) }
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
      const row = scanRow({ ...scanOf(request), outcome })
      // a scan that only reads does not wait for the write
      if (tx.isOpen) tx.atCommit({ text: INSERT_SCANS, values: [JSON.stringify([row])] })
      else tx.after(() => journal.add({ insert: INSERT_SCANS, row }))
      return outcome.reply
    },
    async rejected(request, problem) {
      const row = scanRow({ ...scanOf(request), problem })
      if (row.data !== '') await request.journal.add({ insert: INSERT_SCANS, row })
    },
  })
}

/** Reads a code from a body and trims it; empty if it is unreadable. */
export function codeOf(value: unknown, services: Services): string {
  if (value === undefined || value === null) return ''
  try {
    return barcodeInput.read(value, { references: [], services }, () => {})
  } catch (error) {
    if (error instanceof FieldError) return ''
    throw error
  }
}
