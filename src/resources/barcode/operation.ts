import { type Procedure, procedure, Reply, type Request } from '../../kit/definition/action.ts'
import type { Shape, ValuesOf } from '../../kit/definition/input.ts'
import type { Access } from '../../kit/request/caller.ts'
import { translate } from '../../kit/request/constraint.ts'
import { FieldError } from '../../kit/request/errors.ts'
import { Problem } from '../../kit/request/problem.ts'
import { readThrough } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import {
  type Answered,
  claimKey,
  comparable,
  type KeyedRequest,
  readAnswer,
  readKeyedRequest,
  storeAnswer,
} from '../../kit/writing/idempotency.ts'
import { readBodyBy } from '../../kit/writing/read-body.ts'
import { withBody } from './answer-schema.ts'
import { barcodeInput } from './barcode-input.ts'
import { type Done, INSERT_SCANS, type ScanRow, scanRow } from './history/scan-row.ts'

/**
 * Carries out what changes something: in one transaction, in which the scan is written down too. May be called again when it was
 * refused.
 */
export type CarryOut = (work: (tx: Tx) => Promise<Done>) => Promise<Done>

export type Working<S extends Shape> = Request<S> & {
  carryOut: CarryOut
  /** When the client scanned the code, where it says so. The history of the stock says it too. */
  scannedAt?: string
}

type Definition<S extends Shape> = {
  /** As batches and the history name it. */
  name: string
  /** Who may; the right is `add`. */
  access: Access
  body: S
  work: (request: Working<S>) => Promise<Done>
}

/** An operation on a scanned code. */
export type Operation = Definition<Shape>

export const operation = <S extends Shape>(definition: Definition<S>): Operation => definition as unknown as Operation

type Told<S extends Shape> = Omit<Procedure<S>, 'handle' | 'run' | 'read' | 'method' | 'readsBody' | 'body' | 'access' | 'keyed'>
type OwnDefinition<S extends Shape> = Definition<S> & Told<S>

/** An operation that is asked for under an address of its own, or as an entry of a batch. */
export type BarcodeOperation = OwnDefinition<Shape>

export const barcodeOperation = <S extends Shape>(definition: OwnDefinition<S>): BarcodeOperation =>
  definition as unknown as BarcodeOperation

/** The operation under its own address. Every scan of a code that can be read is written down, refused ones too. */
export const onItsOwn = ({ name, work, ...told }: BarcodeOperation): Procedure =>
  procedure({
    ...told,
    answer: withBody(told.answer, told.body),
    method: 'POST',
    readsBody: true,
    keyed: true,
    async handle(request) {
      const { database, journal, raw } = request
      const keyed = keyOf(request, told.path)
      const known = async () => keyed && repeated(await readAnswer(readThrough(request), keyed))
      const before = await known()
      if (before) return before
      const about = { action: name, endpoint: told.path, caller: request.caller, raw, data: codeOf(request) }
      let context: Readonly<Record<string, unknown>> = {}
      let isWritten = false
      const note = async (row: ScanRow) => {
        if (row.data !== '') await journal.add({ insert: INSERT_SCANS, row })
      }
      try {
        const body = await readBodyBy(request, told.body, raw)
        context = body
        const done = await work({
          ...request,
          body: body as ValuesOf<Shape>,
          async carryOut(work) {
            const done = await database.transaction(async (tx) => {
              const before = keyed && (await claimKey(tx, keyed))
              if (before) throw new CarriedOut()
              tx.lockShared()
              const done = await work(tx)
              const { status, value } = done.reply
              if (keyed) await storeAnswer(tx, keyed, { status, body: JSON.stringify(value) })
              tx.atCommit({ text: INSERT_SCANS, values: [JSON.stringify([scanRow({ ...about, context, done })])] })
              return done
            }, request.caller.pk)
            isWritten = true
            return done
          },
        })
        if (!isWritten) await note(scanRow({ ...about, context, done }))
        return done.reply
      } catch (error) {
        const refusal = translate(error)
        // a request with the same key may have done it meanwhile, for which this one is refused
        const meanwhile = error instanceof CarriedOut || refusal instanceof Problem ? await known() : undefined
        if (meanwhile) return meanwhile
        if (refusal instanceof Problem) await note(scanRow({ ...about, context, refusal }))
        throw error
      }
    },
  })

/** A request with the same Idempotency-Key was carried out while this one waited. */
class CarriedOut extends Error {}

function keyOf({ exchange, caller, raw, secrets }: Request<Shape>, path: string): KeyedRequest | undefined {
  const key = exchange.header('idempotency-key')
  return key === undefined
    ? undefined
    : readKeyedRequest(key, caller.pk, exchange.method, path, secrets.digest('idempotency', comparable(raw)))
}

/** The answer of the first request with a key, once more. */
const repeated = (answered: Answered | undefined): Reply | undefined =>
  answered && new Reply(answered.status, JSON.parse(answered.body), { 'idempotency-replayed': 'true' })

/** The code that was sent, without the blanks at its ends; empty for none that can be read. */
export function codeOf(request: Request<Shape>): string {
  const { barcode } = request.raw
  if (barcode === undefined || barcode === null) return ''
  try {
    return barcodeInput.read(barcode, { references: [], services: request }, () => {})
  } catch (error) {
    if (error instanceof FieldError) return ''
    throw error
  }
}
