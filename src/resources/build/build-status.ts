import { listStatusChoices } from '../../kit/definition/status.ts'
import { extensibleStatus } from '../generic/status/custom/custom-states.ts'
import { ON_HOLD } from '../order/on-hold.ts'

/** The statuses of a build order (docs/interface/builds.md#statuses). It is in production from its first output on, or once it is issued. */
export const BUILD_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  PRODUCTION: { key: 20, label: 'Production', color: 'primary' },
  ON_HOLD,
  CANCELLED: { key: 30, label: 'Cancelled', color: 'danger' },
  COMPLETE: { key: 40, label: 'Complete', color: 'success' },
} as const

export const BUILD_STATUS_CHOICES = listStatusChoices(BUILD_STATUS)

/** Codes of the active statuses. */
export const ACTIVE_STATES: readonly number[] = [BUILD_STATUS.PENDING.key, BUILD_STATUS.PRODUCTION.key, ON_HOLD.key]

/** SQL list of the active statuses. */
export const ACTIVE_STATES_SQL = `(${ACTIVE_STATES.join(', ')})`

export const buildStatus = extensibleStatus('BuildStatus', BUILD_STATUS)
