import { view } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { runsResponse } from './verification/run-schema.ts'
import { readRuns } from './verification/runs.ts'

export const readVerification = view({
  path: '/api/stock/verify/',
  summary: 'Get the progress and last result of the stock verification',
  description:
    'The run in progress, if there is one, and the last completed run: its checks, and the names of the objects that break them. The last run is null until stock has been verified once.',
  access: staff,
  response: runsResponse,
  read: ({ database }) => readRuns((text) => database.read({ text })),
})
