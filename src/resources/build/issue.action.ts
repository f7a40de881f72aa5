import { Type } from 'typebox'
import { action } from '../../kit/definition/action.ts'
import { buildErrors } from './build-errors.ts'
import { BUILD_ORDER } from './build-kind.ts'
import { BUILD_STATUS } from './build-status.ts'
import { changeBuildStatus } from './change-status.ts'

export const issueBuild = action({
  method: 'POST',
  path: '/api/build/{id}/issue/',
  summary: 'Issue a build order',
  description: 'Puts a build order that is pending or on hold into production. It needs no outputs.',
  errors: { wrong_state: 'The build order is neither pending nor on hold.' },
  versioned: true,
  example: { params: { id: 3 } },
  access: BUILD_ORDER.access,
  body: {},
  response: Type.Object({}),
  async run(request) {
    await changeBuildStatus(request, {
      from: [BUILD_STATUS.PENDING.key, BUILD_STATUS.ON_HOLD.key],
      to: BUILD_STATUS.PRODUCTION.key,
      statusError: buildErrors.build_not_issuable,
      event: 'build.issued',
    })
    return {}
  },
})
