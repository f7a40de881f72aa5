const ends = new WeakSet<Event>()

/** Notes that a key is the end of a scan, for fields in which Enter of people does more. */
export const markScanEnd = (event: Event): void => void ends.add(event)

/** Whether a key is the end of a scan. */
export const isScanEnd = (event: Event): boolean => ends.has(event)
