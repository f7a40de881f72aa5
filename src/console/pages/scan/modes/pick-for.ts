import type { ComponentType } from 'preact'
import type { PlainKey } from '../../../kit/language/language.ts'
import type { Named } from '../../../scanner/own-code.ts'
import type { Station } from '../../../scanner/station.ts'
import type { ScanAction, ScanAnswer } from '../../../scanner/waiting-scans.ts'
import type { Order } from '../locations.tsx'

/** What a scan says besides, once it was asked: for which line, shipment or output it is. */
export type SaidBesides = Record<string, number>

/** What is asked where a scan could be for several, or for none. Whoever chooses gets what was chosen; nothing where it was refused. */
export type WhichOne = {
  title: string
  choices: readonly { text: string; choose: () => Promise<SaidBesides | undefined> }[]
  /** What is said by scanning an object; nothing for one that is none of those. */
  saidBy?: (object: Named) => SaidBesides | undefined
}

/** A kind of orders for which stock is put by, scan after scan. */
export type PickFor = {
  /** What is chosen of the address. */
  name: 'order' | 'build'
  /** As codes name it. */
  kind: string
  /** All of them together. */
  title: PlainKey
  /** Whoever may add to these puts stock by. */
  role: string
  /** Its list, and which of it are worked on. */
  url: string
  open: Readonly<Record<string, boolean>>
  /** What the list shows besides, in which order. */
  shown: Readonly<Record<string, string | boolean>>
  /** Whose an order is, or what it is for. */
  of: (order: Order) => string | undefined
  /** What puts by what is scanned, and its field that names the order. */
  action: ScanAction
  field: string
  /** What is asked for an answer that names candidates. @param said where what could not be had is said */
  whichOne: (answer: ScanAnswer, order: number, said: (why: string) => void) => Promise<WhichOne>
  /** The lines of the order that is chosen. */
  Lines: ComponentType<{ order: number; station: Station }>
}
