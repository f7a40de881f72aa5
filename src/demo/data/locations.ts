export const locationTypes = [
  { name: 'Room', description: 'A room of the workshop' },
  { name: 'Cabinet', description: 'Holds drawers' },
  { name: 'Drawer', description: 'For small parts and reels' },
  { name: 'Shelf', description: 'Open shelf with boxes' },
  { name: 'Bench', description: 'Where somebody works' },
  { name: 'Elsewhere', description: 'Ours, but not in the house' },
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
  { name: 'Workshop', description: 'The old bakery, ground floor', type: 'Room', structural: true },
  {
    name: 'Goods in',
    description: 'Deliveries are unpacked and checked here',
    type: 'Bench',
    parent: 'Workshop',
    owner: 'Stores',
  },
  { name: 'Parts store', description: 'Behind the green door', type: 'Room', parent: 'Workshop', structural: true },
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
  { name: 'Battery locker', description: 'Steel locker beside the door', type: 'Cabinet', parent: 'Parts store' },
  { name: 'Fridge', description: 'Solder paste and glue, 4 to 8 °C. No sandwiches!', type: 'Cabinet', parent: 'Parts store' },
  { name: 'Packing table', description: 'Boxes and labels', type: 'Bench', parent: 'Workshop' },
  { name: 'Assembly bench', description: 'Kits for the batch that is being built', type: 'Bench', parent: 'Workshop' },
  { name: 'Test bench', description: 'Calibration and final test', type: 'Bench', parent: 'Workshop' },
  { name: 'Finished instruments', description: 'Tested and ready to be sent', type: 'Shelf', parent: 'Workshop' },
  {
    name: 'Quarantine',
    description: 'Wait for a decision: nothing leaves from here',
    type: 'Shelf',
    parent: 'Workshop',
    owner: 'Stores',
  },
  { name: 'Fair trunk', description: 'Instruments that travel to fairs', type: 'Elsewhere', external: true },
  { name: 'Joinery Birkholz', description: 'Inserts that the joiner fits into cases for us', type: 'Elsewhere', external: true },
]
