import { statusView } from '../../kit/definition/status.ts'
import type { Area } from '../area.ts'
import { buildStatus } from './build-status.ts'

export const build: Area = { resources: [], actions: [statusView('/api/build/status/', buildStatus)] }
