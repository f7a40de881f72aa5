import type { GlobalKey } from '../settings/registry.ts'

/** What new parts are, by the settings, and what it means. */
export const PART_FLAGS = {
  assembly: { key: 'PART_ASSEMBLY', help: 'Whether it is made from other parts, by a bill of materials.' },
  component: { key: 'PART_COMPONENT', help: 'Whether other parts are made from it.' },
  is_template: { key: 'PART_TEMPLATE', help: 'Whether other parts can be variants of it (`variant_of`).' },
  purchaseable: { key: 'PART_PURCHASEABLE', help: 'Whether it is bought: only then can it have supplier parts.' },
  salable: { key: 'PART_SALABLE', help: 'Whether it is sold: only then can its stock be assigned to customers.' },
  trackable: {
    key: 'PART_TRACKABLE',
    help: 'Whether its units are followed one by one: quantities are whole, serial numbers may be given.',
  },
  virtual: { key: 'PART_VIRTUAL', help: 'Whether it is nothing that can be stored, such as software: it has no stock.' },
} as const satisfies Record<string, { key: GlobalKey; help: string }>
