import type { ComponentType } from 'preact'
import type { PlainKey } from '../../../kit/language/language.ts'
import type { ObjectReference } from '../../../scanner/own-code.ts'
import type { Station } from '../../../scanner/station.ts'
import type { ScanAction, ScanResponse } from '../../../scanner/waiting-scans.ts'
import type { Order } from '../locations.tsx'

/** Additional fields of a scan, from the answer to a question: its line, shipment or output. */
export type ScanDetails = Record<string, number>

/** The question for a scan that fits several targets, or none. Selecting one returns its fields; nothing if the request was rejected. */
export type ChoiceQuestion = {
  title: string
  choices: readonly { text: string; choose: () => Promise<ScanDetails | undefined> }[]
  /** The fields for a scanned object; nothing if it is not one of the choices. */
  getDetails?: (object: ObjectReference) => ScanDetails | undefined
}

/** A kind of order that stock is allocated to, scan by scan. */
export type PickTarget = {
  /** Name of the query parameter for the selected order. */
  name: 'order' | 'build'
  /** Its kind in barcodes. */
  kind: string
  /** Title of the group. */
  title: PlainKey
  /** The role that allows adding allocations. */
  role: string
  /** URL of its list, and the filter for open orders. */
  url: string
  openFilter: Readonly<Record<string, boolean>>
  /** Further parameters of the list, with its order. */
  listQuery: Readonly<Record<string, string | boolean>>
  /** The company or the part of an order. */
  getDescription: (order: Order) => string | undefined
  /** The action that allocates a scanned item, and its field for the order. */
  action: ScanAction
  field: string
  /** The question for a response that names candidates. @param reportError reports data that could not be loaded */
  buildQuestion: (response: ScanResponse, order: number, reportError: (reason: string) => void) => Promise<ChoiceQuestion>
  /** The lines of the selected order. */
  Lines: ComponentType<{ order: number; station: Station }>
}
