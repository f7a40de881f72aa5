/** Ways to print labels: a PDF, or a label printer. */
export const PRINTERS = ['pdf', 'machine'] as const
export type PrinterName = (typeof PRINTERS)[number]

/** The plugin that prints on label printers; without one the result is a PDF. */
export const PRINTER_PLUGIN = 'inventreelabelmachine'
/** The user setting of the printer that is selected first: a plugin, or empty. */
export const DEFAULT_PRINTER_URL = '/api/settings/user/LABEL_DEFAULT_PRINTER/'

/** The printer for a value of the setting; undefined for none. */
export const toPrinter = (plugin: string): PrinterName | undefined =>
  plugin === '' ? undefined : plugin === PRINTER_PLUGIN ? 'machine' : 'pdf'

/** What was selected last for labels of a kind, in this browser. */
type Choices = { template?: number; printer?: PrinterName }

const getKey = (kind: string): string => `stockroom.print.${kind}`

export function readChoices(kind: string): Choices {
  try {
    return JSON.parse(localStorage.getItem(getKey(kind)) ?? '{}') as Choices
  } catch {
    return {}
  }
}

export const storeChoices = (kind: string, choices: Choices): void => localStorage.setItem(getKey(kind), JSON.stringify(choices))
