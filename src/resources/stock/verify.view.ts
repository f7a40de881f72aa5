import { view } from '../../kit/definition/action.ts'
import { staff } from '../../kit/request/caller.ts'
import { readRuns } from './verification/runs.ts'
import { runsAnswer } from './verification/runs-answer.ts'

export const readVerification = view({
  path: '/api/stock/verify/',
  summary: 'How far the verification of stock is, and what the last one found',
  description:
    'The run that is under way, if there is one, and the last that ended: what was checked, and the objects that break it by name. It is null until stock has been verified once.',
  access: staff,
  answer: runsAnswer,
  read: ({ database }) => readRuns((text) => database.read({ text })),
})
