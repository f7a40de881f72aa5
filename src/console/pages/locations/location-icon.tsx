import { Icon, type IconName } from '../../kit/page/icon.tsx'

/** Our drawings for icons of locations and their types, by the names that all clients store: those of Tabler, after `ti:`. */
const ICONS: Readonly<Record<string, IconName>> = {
  'map-pin': 'place',
  box: 'box',
  building: 'building',
  truck: 'truck',
  home: 'home',
  books: 'book',
  columns: 'columns',
  tool: 'wrench',
  cpu: 'chip',
  file: 'file',
  'shopping-cart': 'cart',
}

/** Other names for the same drawing. */
const ALIASES: Readonly<Record<string, string>> = {
  package: 'box',
  archive: 'box',
  'building-warehouse': 'building',
  'building-factory': 'building',
  'building-store': 'building',
  tools: 'tool',
  book: 'books',
  'device-desktop': 'cpu',
  stack: 'columns',
  fridge: 'columns',
}

/** The icons that can be selected, as they are stored. */
export const LOCATION_ICONS = Object.keys(ICONS).map((name) => `ti:${name}`)

/** The drawing of a stored icon, with any variant, such as `ti:package:outline`; undefined if it is not among ours. */
export function findLocationIcon(icon: string): IconName | undefined {
  const name = icon.replace(/^ti:/, '').replace(/:.*$/, '')
  return ICONS[ALIASES[name] ?? name]
}

/** The icon of a location or of a type of location; nothing for one without a drawing. */
export const LocationIcon = ({ icon }: { icon: string | null | undefined }) => {
  const drawing = icon ? findLocationIcon(icon) : undefined
  return drawing ? <Icon name={drawing} /> : null
}
