import type { Caller } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { Found, SupplierLabel } from '../../plugin-api/index.ts'

/** Who scans, and what with. */
export type Scanning = Services & { caller: Caller }

/** A label that a plugin read, and the plugin's name. */
export type ReadLabel = { plugin: string; label: SupplierLabel }

/** What came of a scan. */
export type Scan = {
  /** The code, trimmed. */
  text: string
  hash: string
  /** The name of the plugin that found something. */
  plugin: string | null
  /** The object that it stands for. */
  matched?: Found
  /** What GET shows of it, as JSON, where that was read with it. */
  body?: string
  /** What stands on it if it is a label of goods: as GS1 has it, and as each plugin that knows such labels reads it, in their order. */
  labels: readonly ReadLabel[]
  /** The objects that it may stand for, where there are several. */
  candidates?: readonly Found[]
  /** Why nothing was found. */
  error?: ErrorMessage
}
