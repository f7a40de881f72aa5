import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { notify } from '../notifications/notify.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { BUILD_STATUS } from './build-status.ts'
import { changeBuildStatus } from './change-status.ts'

export const holdBuild = action({
  method: 'POST',
  path: '/api/build/{id}/hold/',
  summary: 'Put a build order on hold',
  description:
    'Puts a build order that is pending or in production on hold. Outputs are not created or completed and stock is not consumed until it is issued; it still counts as open, can be changed, and keeps its allocations.',
  errors: { wrong_state: 'The build order is neither pending nor in production.' },
  versioned: true,
  example: { params: { id: 1 } },
  access: BUILD_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    const build = await changeBuildStatus(request, {
      from: [BUILD_STATUS.PENDING.key, BUILD_STATUS.PRODUCTION.key],
      to: BUILD_STATUS.ON_HOLD.key,
      statusError: buildErrors.build_not_holdable,
      event: 'build.hold',
    })
    if (build && build.responsible !== null) await notify(request, 'held', BUILD_ORDER.model, build.pk)
    return {}
  },
})
