import { Problem } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { Warning } from '../../printing/rendering.ts'

/** What a print came to: a file below the media folder, words for people, and what is missing in what was printed. */
export type Outcome = { file?: string; message?: string; warnings?: readonly Warning[] }

/** What is told between the steps of a print. */
export type Steps = {
  /** So many of so many labels, or documents, are made. */
  made(done: number, total: number): Promise<void>
  /** Precedes that a machine or a plugin is asked to print. Throws where it was asked before. */
  asking(): Promise<void>
  /** It is printed: in the transaction that keeps its file. Throws where somebody else finished it. */
  finished(tx: Tx, outcome: Outcome): Promise<void>
}

/** A print within its request: nobody is told. */
export const unobserved: Steps = { made: async () => {}, asking: async () => {}, finished: async () => {} }

/** A machine or plugin was asked, and nobody knows whether it printed. */
export class PrintOutcomeUnknown extends Problem {
  constructor(message: ErrorMessage) {
    super('unavailable', message)
  }
}
