import { statusView } from '../../kit/definition/status.ts'
import type { Area } from '../area.ts'
import { buildAttachment } from './attachment/build-attachment.resource.ts'
import { buildOrder } from './build.resource.ts'
import { buildStatus } from './build-status.ts'
import { cancelBuild } from './cancel.action.ts'

export const build: Area = {
  resources: [buildOrder, buildAttachment],
  actions: [cancelBuild, statusView('/api/build/status/', buildStatus)],
}
