export type DemoCategory = {
  name: string
  description: string
  /** Name of the parent category. Names are unique here, so that they work as references. */
  parent?: string
  /** Holds categories, but no parts. */
  structural?: boolean
  /** Default location of its parts. */
  location?: string
  keywords?: string
}

/** Categories, parents first. */
export const categories: DemoCategory[] = [
  { name: 'Electronics', description: 'Components for circuit boards', structural: true },
  { name: 'Resistors', description: 'Chip resistors', parent: 'Electronics', location: 'Drawer R', keywords: 'passive' },
  {
    name: 'Capacitors',
    description: 'Ceramic and electrolytic capacitors',
    parent: 'Electronics',
    location: 'Drawer C',
    keywords: 'passive',
  },
  {
    name: 'Integrated circuits',
    description: 'Microcontrollers, converters, amplifiers',
    parent: 'Electronics',
    location: 'Drawer U',
  },
  {
    name: 'Light-emitting diodes',
    description: 'White and RGB LEDs',
    parent: 'Electronics',
    location: 'Drawer D',
    keywords: 'LED',
  },
  { name: 'Connectors', description: 'Sockets and battery clips', parent: 'Electronics', location: 'Shelf A' },
  {
    name: 'Controls',
    description: 'Potentiometers, keys, switches',
    parent: 'Electronics',
    location: 'Shelf A',
  },
  { name: 'Displays and loudspeakers', description: 'Displays and loudspeakers', parent: 'Electronics', location: 'Shelf A' },
  { name: 'Circuit boards', description: 'Bare and assembled boards', location: 'Shelf C' },
  { name: 'Power', description: 'Batteries and power supplies', location: 'Battery locker' },
  { name: 'Wire and cable', description: 'Sold by the metre', location: 'Cable rack' },
  { name: 'Mechanics', description: 'Mechanical parts', structural: true },
  { name: 'Fasteners', description: 'Screws, inserts, feet', parent: 'Mechanics', location: 'Shelf B' },
  { name: 'Knobs', description: 'For 6 mm D shafts', parent: 'Mechanics', location: 'Shelf B' },
  { name: 'Cases', description: 'Wooden cases and their panels', parent: 'Mechanics', location: 'Shelf B' },
  { name: 'Consumables', description: 'Solder paste, glue and other consumables', location: 'Fridge' },
  { name: 'Packaging', description: 'Shipping boxes and labels', location: 'Packing table' },
  { name: 'Instruments', description: 'Finished products', location: 'Finished instruments' },
]
