/** The states of a build order. (The reference description of parts and builds.) */
export const BUILD_STATUS = {
  PENDING: { key: 10, label: 'Pending', color: 'secondary' },
  PRODUCTION: { key: 20, label: 'Production', color: 'primary' },
  CANCELLED: { key: 30, label: 'Cancelled', color: 'danger' },
  COMPLETE: { key: 40, label: 'Complete', color: 'success' },
} as const

export const buildStatus = { name: 'BuildStatus', codes: BUILD_STATUS }
