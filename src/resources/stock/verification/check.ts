import type { GlobalSnapshot } from '../../../settings/store.ts'

/** An invariant of intact data, and the statement that finds its violations. */
export type Check = {
  /** Stable name, for clients. */
  name: string
  /** The invariant, as a sentence. */
  holds: string
  /** Set when deviations are reported but may be correct. */
  isWarning?: true
  /** Whether the invariant applies; without this it always does. */
  applies?: (settings: GlobalSnapshot) => boolean
  /** A select of the objects that violate it, without an order: `model` as in `objects.ts`, `pk`, and `problem` as a sentence fragment. */
  violationsQuery: string
}
