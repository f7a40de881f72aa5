import { statusView } from '../../kit/definition/status.ts'
import type { Area } from '../area.ts'
import { allocateBuild } from './allocate.action.ts'
import { buildAttachment } from './attachment/build-attachment.resource.ts'
import { autoAllocateBuild } from './auto-allocate.action.ts'
import { buildOrder } from './build.resource.ts'
import { buildStatus } from './build-status.ts'
import { cancelBuild } from './cancel.action.ts'
import { completeBuildOutputs } from './complete.action.ts'
import { consumeBuildStock } from './consume.action.ts'
import { createBuildOutput } from './create-output.action.ts'
import { deleteBuildOutputs } from './delete-outputs.action.ts'
import { finishBuild } from './finish.action.ts'
import { holdBuild } from './hold.action.ts'
import { issueBuild } from './issue.action.ts'
import { buildAllocation } from './item/build-allocation.resource.ts'
import { buildLine } from './line/build-line.resource.ts'
import { scrapBuildOutputs } from './scrap-outputs.action.ts'
import { unallocateBuild } from './unallocate.action.ts'

export const build: Area = {
  resources: [buildOrder, buildLine, buildAllocation, buildAttachment],
  actions: [
    allocateBuild,
    autoAllocateBuild,
    unallocateBuild,
    consumeBuildStock,
    createBuildOutput,
    completeBuildOutputs,
    scrapBuildOutputs,
    deleteBuildOutputs,
    issueBuild,
    holdBuild,
    finishBuild,
    cancelBuild,
    statusView('/api/build/status/', buildStatus),
  ],
}
