import { action } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { stockErrors } from './stock-errors.ts'
import { beginRun, readRuns, VERIFICATION_QUEUE } from './verification/runs.ts'
import { runsAnswer } from './verification/runs-answer.ts'

export const verifyStock = action({
  method: 'POST',
  path: '/api/stock/verify/',
  summary: 'Verify that stock is right',
  description:
    'Starts a run that counts everything afresh in the background: quantities by the history of each item, the sums of parts and orders, serial numbers, barcodes, trees and references. It reads one moment of the database and changes nothing of it. Others may work meanwhile. Answers what GET answers.',
  refuses: { wrong_state: 'A run is under way.' },
  example: {},
  access: staff,
  answer: runsAnswer,
  async run({ tx, jobs }) {
    const run = await beginRun(tx)
    if (run === undefined) throw new Problem('wrong_state', stockErrors.verification_running)
    await jobs.send(tx, VERIFICATION_QUEUE, { run })
    return readRuns((text) => tx.query(text))
  },
})
