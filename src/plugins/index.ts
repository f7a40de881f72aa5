import { entryPath } from '../paths.ts'

/** A built-in plugin. */
export type BuiltIn = {
  slug: string
  /** Its path for existing clients. */
  packagePath: string
  /** Further mixins for existing clients, in addition to those of its functions. */
  mixins: readonly string[]
}

const supplier = { mixins: ['barcode', 'supplier-barcode'] }

/** Every built-in plugin, in the order of discovery and of calls. */
export const builtInPlugins: readonly BuiltIn[] = [
  {
    slug: 'inventreebarcode',
    packagePath: 'barcodes/inventree_barcode.py',
    mixins: ['barcode'],
  },
  {
    slug: 'inventreecorenotificationsplugin',
    packagePath: 'integration/core_notifications.py',
    mixins: ['settingscontent'],
  },
  { slug: 'inventreecurrencyexchange', packagePath: 'integration/currency_exchange.py', mixins: ['api_call'] },
  { slug: 'inventreelabel', packagePath: 'labels/inventree_label.py', mixins: ['labels'] },
  {
    slug: 'inventreelabelmachine',
    packagePath: 'labels/inventree_machine.py',
    mixins: ['labels'],
  },
  {
    slug: 'inventreelabelsheet',
    packagePath: 'labels/label_sheet.py',
    mixins: ['settings', 'labels'],
  },
  { slug: 'digikeyplugin', packagePath: 'suppliers/digikey.py', ...supplier },
  { slug: 'lcscplugin', packagePath: 'suppliers/lcsc.py', ...supplier },
  { slug: 'mouserplugin', packagePath: 'suppliers/mouser.py', ...supplier },
  { slug: 'tmeplugin', packagePath: 'suppliers/tme.py', ...supplier },
  { slug: 'zplprinter', packagePath: 'machines/zpl.py', mixins: [] },
  { slug: 'ippprinter', packagePath: 'machines/ipp.py', mixins: [] },
]

/** The file that has a built-in plugin as its default export. */
export const getEntryPath = ({ slug }: BuiltIn): string => entryPath(`plugins/${slug}`)

const slugs: ReadonlySet<unknown> = new Set(builtInPlugins.map(({ slug }) => slug))

/** Whether a built-in plugin has this key. */
export const isBuiltIn = (key: unknown): boolean => slugs.has(key)
