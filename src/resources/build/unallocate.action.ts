import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { unknownReference } from '../../kit/request/errors.ts'
import { invalid } from '../../kit/request/problem.ts'
import { stockItem } from '../stock/stock-item.table.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { lockActiveBuild } from './change-status.ts'
import { deleteAllocations, lockAllocatedItems } from './item/open-allocations.ts'
import { buildLine } from './line/build-line.table.ts'

/** See docs/interface/builds.md#lines-and-allocations. */
export const unallocateBuild = action({
  method: 'POST',
  path: '/api/build/{id}/unallocate/',
  summary: 'Release stock allocated to a build order',
  description:
    'Releases stock allocated to `output`; without it, stock that is allocated to no output. `build_line` limits this to one line.',
  errors: {
    invalid: 'The line or the output belongs to another build order.',
    wrong_state: 'The build order is complete or cancelled.',
  },
  versioned: true,
  example: { params: { id: 2 }, body: { build_line: 25, output: null } },
  access: BUILD_ORDER.access,
  body: {
    build_line: input.reference(() => buildLine, {
      nullable: true,
      default: null as never,
      options: { model: 'buildline', api_url: '/api/build/line/' },
      label: 'Build Line',
      help: 'The line of this build order; empty for all.',
    }),
    output: input.reference(() => stockItem, {
      nullable: true,
      default: null as never,
      options: { model: 'stockitem', api_url: '/api/stock/' },
      label: 'Build output',
      help: 'The output of this build order; empty for stock that is allocated to no output.',
    }),
  },
  response: Type.Object({
    build_line: Type.Union([Type.Integer(), Type.Null()]),
    output: Type.Union([Type.Integer(), Type.Null()]),
  }),
  async run(request) {
    const { tx, body } = request
    const { build_line, output } = body
    const build = await lockActiveBuild(request)
    if (build_line !== null && !(await tx.first('select 1 from build_line where pk = $1 and build = $2', [build_line, build.pk])))
      throw invalid({ build_line: [unknownReference(build_line)] })
    if (output !== null && !(await tx.first('select 1 from stock_item where pk = $1 and build = $2', [output, build.pk])))
      throw invalid({ output: [buildErrors.output_must_be_of_build] })
    const { allocations } = await lockAllocatedItems(tx, build.pk)
    await deleteAllocations(
      tx,
      allocations.filter(
        (allocation) => allocation.install_into === output && (build_line === null || allocation.build_line === build_line),
      ),
    )
    return body
  },
})
