import type { Caller } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { Found, SupplierLabel } from '../../plugin-api/index.ts'

/** The services and the caller of a scan. */
export type ScanContext = Services & { caller: Caller }

/** A label that a plugin read, and the plugin's name. */
export type PluginLabel = { plugin: string; label: SupplierLabel }

/** Result of a scan. */
export type Scan = {
  /** The code, trimmed. */
  text: string
  hash: string
  /** Name of the plugin that found something. */
  plugin: string | null
  /** The object that the code stands for. */
  matched?: Found
  /** The GET body of the object as JSON, if it was read in the same statement. */
  body?: string
  /** Readings of a label of goods: by GS1, and by each plugin that recognizes it, in their order. */
  labels: readonly PluginLabel[]
  /** The objects that the code may stand for, if there are several. */
  candidates?: readonly Found[]
  /** The reason why nothing was found. */
  error?: ErrorMessage
}
