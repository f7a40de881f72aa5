import type { SettingDefinitions } from './settings.ts'

/** A machine as its driver is given it: with what was set for it, as it is now. */
export type Machine = {
  id: string
  name: string
  /** The values of the driver's `settings`, each of its own type. */
  settings: Readonly<Record<string, any>>
}

/** The state that a label printer is in. */
export type PrinterState = 'connected' | 'unknown' | 'printing' | 'no-media' | 'disconnected'

/** What a driver says of a machine: its state, and a text for people, such as why it does not print. */
export type MachineState = { state: PrinterState; text?: string }

/**
 * Something on a label that a printer may draw by itself, in dots from the upper left corner of the label: a line of text, with the size of
 * its typeface and where its letters stand; a code, without the empty border around it, and how many modules or narrowest bars are in
 * a row of it; or an area in black.
 */
export type LabelField = { x: number; y: number; width: number; height: number } & (
  | { type: 'text'; text: string; size: number; baseline: number }
  | {
      type: 'code'
      symbology: 'qrcode' | 'datamatrix' | 'code128'
      text: string
      /** The correction of a QR code: L, M, Q or H. */
      level?: string
      columns: number
    }
  | { type: 'black' }
)

/** Labels for a machine, all of one template and so of one size. A driver that wants `pdf` has that, one of `pictures` has `pixels`. */
export type MachineLabels = {
  /** Of the template. */
  name: string
  /** Millimetres. */
  labelWidth: number
  labelHeight: number
  /** How many labels there are, and how often each of them is to be printed. */
  count: number
  copies: number
  /** One PDF with a page for each label. */
  pdf?: Uint8Array
  /** In dots. */
  width?: number
  height?: number
  /** The labels one after the other, each row by row from its upper left: a byte for each dot, 0 is black and 255 white. */
  pixels?: Uint8Array
  /** What is on each label, where the driver has a setting `FORM` that is `native`; undefined for one that has other things on it, too. */
  fields?: (readonly LabelField[] | undefined)[]
}

/** What became of labels: with `failed`, nothing was printed, and why. */
export type MachinePrinted = { failed?: string; state?: PrinterState }

/** Works with one make of machines. Each call is made with the machine as it is then: a driver keeps nothing. */
export type MachineDriver<Context> = {
  name: string
  description?: string
  type: 'label-printer'
  /**
   * What it prints from. With `pictures` it has an integer setting `DPI`: dots to an inch, at which they are drawn. It may have a choice
   * `FORM` beside it: where that is `native`, labels come with `fields`, too.
   */
  labels: 'pdf' | 'pictures'
  /** What is set for each machine: where it is reached, and how it prints. */
  settings?: SettingDefinitions
  /**
   * Prints, within a minute; it is called once for each print. A machine that does not print is answered with `failed`. Throwing says
   * that nobody knows whether it prints, and counts as a fault of the plugin.
   */
  print(
    labels: MachineLabels,
    machine: Machine,
    context: Context,
  ): Promise<MachinePrinted | undefined> | MachinePrinted | undefined
  /** Asks the machine how it is, within ten seconds. */
  status?(machine: Machine, context: Context): Promise<MachineState> | MachineState
  /** Begins with a machine, also anew. Throwing says why it cannot be worked with. */
  init?(machine: Machine, context: Context): Promise<void> | void
}
