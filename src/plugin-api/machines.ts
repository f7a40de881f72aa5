import type { SettingDefinitions } from './settings.ts'

/** A machine with its current settings. */
export type Machine = {
  id: string
  name: string
  /** The values of the driver's `settings`, with their types. */
  settings: Readonly<Record<string, any>>
}

/** The status of a label printer. */
export type PrinterState = 'connected' | 'unknown' | 'printing' | 'no-media' | 'disconnected'

/** The status of a machine, and a message for users, such as the reason why it does not print. */
export type MachineState = { state: PrinterState; text?: string }

/**
 * An element of a label that a printer can draw itself, in dots from the upper left corner of the label: a line of text, with its font
 * size and baseline; a code without its quiet zone, with the number of modules or narrowest bars in a row; or a black area.
 */
export type LabelField = { x: number; y: number; width: number; height: number } & (
  | { type: 'text'; text: string; size: number; baseline: number }
  | {
      type: 'code'
      symbology: 'qrcode' | 'datamatrix' | 'code128'
      text: string
      /** The error correction level of a QR code: L, M, Q or H. */
      level?: string
      columns: number
    }
  | { type: 'black' }
)

/** Labels for a machine, all of one template and size. A driver with `labels: 'pdf'` gets `pdf`, one with `pictures` gets `pixels`. */
export type MachineLabels = {
  /** The name of the template. */
  name: string
  /** In millimeters. */
  labelWidth: number
  labelHeight: number
  /** The number of labels, and the copies of each. */
  count: number
  copies: number
  /** One PDF with a page for each label. */
  pdf?: Uint8Array
  /** In dots. */
  width?: number
  height?: number
  /** The labels in order, each row by row from its upper left: a byte for each dot, 0 is black and 255 white. */
  pixels?: Uint8Array
  /** The elements of each label if the setting `FORM` of the driver is `native`; undefined for a label with other elements. */
  fields?: (readonly LabelField[] | undefined)[]
}

/** The result of a print. `failed` is the reason if nothing was printed. */
export type MachinePrinted = { failed?: string; state?: PrinterState }

/** A driver for one make of machines. Each call gets the current machine: a driver is stateless. */
export type MachineDriver<Context> = {
  name: string
  description?: string
  type: 'label-printer'
  /**
   * The input format. `pictures` requires an integer setting `DPI`, the resolution in dots per inch. With a choice `FORM` that is
   * `native`, labels also have `fields`.
   */
  labels: 'pdf' | 'pictures'
  /** The settings of each machine, such as its address. */
  settings?: SettingDefinitions
  /**
   * Prints, within a minute; called once for each print. If the machine does not print, return `failed`. If the function throws, the
   * result of the print is unknown, and the error is reported as an error of the plugin.
   */
  print(
    labels: MachineLabels,
    machine: Machine,
    context: Context,
  ): Promise<MachinePrinted | undefined> | MachinePrinted | undefined
  /** Returns the status of the machine, within ten seconds. */
  status?(machine: Machine, context: Context): Promise<MachineState> | MachineState
  /** Starts or restarts a machine. Throws an error with the reason if it cannot be used. */
  init?(machine: Machine, context: Context): Promise<void> | void
}
