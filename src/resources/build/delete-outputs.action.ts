import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { taskResponse } from '../background-task/task-response.ts'
import { deleteReturnLines } from '../stock/delete-item.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { lockActiveBuild } from './change-status.ts'
import { lockOutputs, outputInput, outputList } from './output/outputs.ts'

/** See docs/interface/builds.md#outputs. */
export const deleteBuildOutputs = action({
  method: 'POST',
  path: '/api/build/{id}/delete-outputs/',
  summary: 'Delete build outputs',
  description: 'Deletes incomplete outputs and releases the stock allocated to them.',
  errors: {
    invalid: 'An output is already complete or belongs to another build order; `outputs` gives the error at its index.',
    wrong_state: 'The build order is complete or cancelled.',
  },
  versioned: true,
  example: { params: { id: 4 }, body: { outputs: [{ output: 126 }] } },
  access: BUILD_ORDER.access,
  body: { outputs: outputList({ output: outputInput }) },
  api530: taskResponse,
  response: Type.Object({ outputs: Type.Array(Type.Object({ output: Type.Integer() })) }),
  async run(request) {
    const outputKeys = request.body.outputs.map(({ output }) => output)
    await lockOutputs(request, outputKeys, undefined, lockActiveBuild)
    await deleteReturnLines(request, 'pk = any($1)', [outputKeys])
    await request.tx.query('delete from stock_item where pk = any($1::integer[])', [outputKeys])
    return request.body
  },
})
