const scanEndEvents = new WeakSet<Event>()

/** Marks a key as the end of a scan, for fields in which Enter does more for people. */
export const markScanEnd = (event: Event): void => void scanEndEvents.add(event)

/** Whether a key is the end of a scan. */
export const isScanEnd = (event: Event): boolean => scanEndEvents.has(event)
