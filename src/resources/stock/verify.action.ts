import { action } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import { stockErrors } from './stock-errors.ts'
import { runsResponse } from './verification/run-schema.ts'
import { readRuns, requestRun, VERIFICATION_QUEUE } from './verification/runs.ts'

export const verifyStock = action({
  method: 'POST',
  path: '/api/stock/verify/',
  summary: 'Start a stock verification',
  description:
    'Starts a background run that recalculates everything: quantities by the history of each item, totals of parts and orders, serial numbers, barcodes, trees and references. It reads a snapshot of the database, changes nothing and blocks no other requests. The response is that of GET.',
  errors: { wrong_state: 'A run is in progress.' },
  example: {},
  access: staff,
  response: runsResponse,
  async run({ tx, jobs }) {
    const run = await requestRun(tx)
    if (run === undefined) throw new Problem('wrong_state', stockErrors.verification_running)
    await jobs.send(tx, VERIFICATION_QUEUE, { run })
    return readRuns((text) => tx.query(text))
  },
})
