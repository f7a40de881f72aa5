export const locationTypes = [
  { name: 'Room', description: 'A room of the workshop' },
  { name: 'Cabinet', description: 'Holds drawers' },
  { name: 'Drawer', description: 'For small parts and reels' },
  { name: 'Shelf', description: 'Open shelf with boxes' },
  { name: 'Bench', description: 'Work station' },
  { name: 'External', description: 'Outside of the workshop' },
]

export type DemoLocation = {
  name: string
  description: string
  type: string
  /** Name of the parent location. Names are unique here, so that they work as references. */
  parent?: string
  /** Holds locations, but no stock. */
  structural?: boolean
  /** Outside of the workshop. */
  external?: boolean
  owner?: string
  tags?: string[]
}

/** Locations, parents first. */
export const locations: DemoLocation[] = [
  { name: 'Workshop', description: 'Main building, ground floor', type: 'Room', structural: true },
  {
    name: 'Goods in',
    description: 'Receiving and inspection',
    type: 'Bench',
    parent: 'Workshop',
    owner: 'Stores',
  },
  { name: 'Parts store', description: 'Main store for parts', type: 'Room', parent: 'Workshop', structural: true },
  { name: 'Drawer cabinet', description: '24 drawers, antistatic', type: 'Cabinet', parent: 'Parts store', structural: true },
  { name: 'Drawer R', description: 'Resistors', type: 'Drawer', parent: 'Drawer cabinet', tags: ['antistatic'] },
  { name: 'Drawer C', description: 'Capacitors', type: 'Drawer', parent: 'Drawer cabinet', tags: ['antistatic'] },
  { name: 'Drawer U', description: 'Integrated circuits', type: 'Drawer', parent: 'Drawer cabinet', tags: ['antistatic'] },
  { name: 'Drawer D', description: 'Light-emitting diodes', type: 'Drawer', parent: 'Drawer cabinet', tags: ['antistatic'] },
  { name: 'Shelf A', description: 'Connectors, controls, displays, loudspeakers', type: 'Shelf', parent: 'Parts store' },
  { name: 'Shelf B', description: 'Screws, feet, knobs, cases', type: 'Shelf', parent: 'Parts store' },
  {
    name: 'Shelf C',
    description: 'Circuit boards, bare and assembled',
    type: 'Shelf',
    parent: 'Parts store',
    tags: ['antistatic'],
  },
  { name: 'Cable rack', description: 'Wire and cable on spools', type: 'Shelf', parent: 'Parts store' },
  { name: 'Battery locker', description: 'Fire-resistant steel locker', type: 'Cabinet', parent: 'Parts store' },
  { name: 'Fridge', description: 'Solder paste and glue, 4 to 8 °C', type: 'Cabinet', parent: 'Parts store' },
  { name: 'Packing table', description: 'Packing and shipping', type: 'Bench', parent: 'Workshop' },
  { name: 'Assembly bench', description: 'Kits for the current batch', type: 'Bench', parent: 'Workshop' },
  { name: 'Test bench', description: 'Calibration and final test', type: 'Bench', parent: 'Workshop' },
  { name: 'Finished instruments', description: 'Tested and ready to ship', type: 'Shelf', parent: 'Workshop' },
  {
    name: 'Quarantine',
    description: 'Stock on hold until it is inspected',
    type: 'Shelf',
    parent: 'Workshop',
    owner: 'Stores',
  },
  { name: 'Fair trunk', description: 'Demo instruments for trade fairs', type: 'External', external: true },
  { name: 'Joinery Birkholz', description: 'Inserts held by the case supplier', type: 'External', external: true },
]
