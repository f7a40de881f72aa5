/** Queue of the job that loads the demo data. */
export const DEMO_QUEUE = 'demo'

/** Seconds without a heartbeat after which the run counts as ended. */
export const HEARTBEAT_TIMEOUT_SECONDS = 120
