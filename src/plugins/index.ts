import { entryPath } from '../paths.ts'

/** A plugin that comes with the service. */
export type BuiltIn = {
  slug: string
  /** Where it is, as existing clients know it. */
  packagePath: string
  /** Further mixins, as existing clients know it by, besides those that follow from what it has. */
  mixins: readonly string[]
}

const supplier = { mixins: ['barcode', 'supplier-barcode'] }

/** Every plugin that comes with the service, in the order in which they are found and asked. */
export const builtIns: readonly BuiltIn[] = [
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
export const entryOf = ({ slug }: BuiltIn): string => entryPath(`plugins/${slug}`)

const slugs: ReadonlySet<unknown> = new Set(builtIns.map(({ slug }) => slug))

/** Whether a plugin of this key comes with the service. */
export const isBuiltIn = (key: unknown): boolean => slugs.has(key)
