import { statusChoices } from '../../kit/definition/status.ts'

/**
 * The statuses of a build order. Pending is a plan, production begins with the first output. (The reference description of parts and
 * builds, section 13.)
 */
export const BUILD_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  PRODUCTION: { key: 20, label: 'Production', color: 'primary' },
  CANCELLED: { key: 30, label: 'Cancelled', color: 'danger' },
  COMPLETE: { key: 40, label: 'Complete', color: 'success' },
} as const

export const BUILD_STATUS_CHOICES = statusChoices(BUILD_STATUS)

/** Codes of the active statuses. */
export const ACTIVE_STATES: readonly number[] = [BUILD_STATUS.PENDING.key, BUILD_STATUS.PRODUCTION.key]

/** SQL list of the active statuses. */
export const ACTIVE = `(${ACTIVE_STATES.join(', ')})`

export const buildStatus = { name: 'BuildStatus', codes: BUILD_STATUS }
