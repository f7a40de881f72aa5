import { Problem } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { Warning } from '../../printing/rendering.ts'

/** Result of a print: a file below the media folder, a description, and warnings about the printed content. */
export type PrintOutcome = { file?: string; message?: string; warnings?: readonly Warning[] }

/** Callbacks between the steps of a print. */
export type PrintSteps = {
  /** Reports the number of completed labels or documents. */
  reportProgress(done: number, total: number): Promise<void>
  /** Called before a machine or plugin is called to print. Throws if it was called before. */
  markDispatched(): Promise<void>
  /** Completes the print, in the transaction that stores its file. Throws if another worker completed it. */
  complete(tx: Tx, outcome: PrintOutcome): Promise<void>
}

/** Callbacks of a print within its request, which do nothing. */
export const noSteps: PrintSteps = { reportProgress: async () => {}, markDispatched: async () => {}, complete: async () => {} }

/** A machine or plugin was called, and it is unknown whether it printed. */
export class PrintOutcomeUnknown extends Problem {
  constructor(message: ErrorMessage) {
    super('unavailable', message)
  }
}
