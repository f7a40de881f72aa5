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
  { name: 'Electronics', description: 'What is soldered onto a board', structural: true },
  { name: 'Resistors', description: 'Chip resistors', parent: 'Electronics', location: 'Drawer R', keywords: 'passive' },
  {
    name: 'Capacitors',
    description: 'Ceramic and electrolytic',
    parent: 'Electronics',
    location: 'Drawer C',
    keywords: 'passive',
  },
  {
    name: 'Integrated circuits',
    description: 'Controllers, converters, amplifiers',
    parent: 'Electronics',
    location: 'Drawer U',
  },
  {
    name: 'Light-emitting diodes',
    description: 'White and coloured',
    parent: 'Electronics',
    location: 'Drawer D',
    keywords: 'LED',
  },
  { name: 'Connectors', description: 'Sockets and clips', parent: 'Electronics', location: 'Shelf A' },
  {
    name: 'Controls',
    description: 'What fingers touch: potentiometers, keys, switches',
    parent: 'Electronics',
    location: 'Shelf A',
  },
  { name: 'Displays and loudspeakers', description: 'What is seen and heard', parent: 'Electronics', location: 'Shelf A' },
  { name: 'Circuit boards', description: 'Bare, and assembled by others', location: 'Shelf C' },
  { name: 'Power', description: 'Batteries and supplies', location: 'Battery locker' },
  { name: 'Wire and cable', description: 'By the metre', location: 'Cable rack' },
  { name: 'Mechanics', description: 'What holds it together', structural: true },
  { name: 'Fasteners', description: 'Screws, inserts, feet', parent: 'Mechanics', location: 'Shelf B' },
  { name: 'Knobs', description: 'With D shaft, 6 mm', parent: 'Mechanics', location: 'Shelf B' },
  { name: 'Cases', description: 'Wooden cases and their panels', parent: 'Mechanics', location: 'Shelf B' },
  { name: 'Consumables', description: 'Used up while working', location: 'Fridge' },
  { name: 'Packaging', description: 'Around what leaves the house', location: 'Packing table' },
  { name: 'Instruments', description: 'What we build', location: 'Finished instruments' },
]
