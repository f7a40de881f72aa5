import type { Only } from '../../kit/definition/input.ts'
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

/** Which parts may be referred to, by what is done with them. */
export const ONLY_PARTS = {
  assembly: { where: '{assembly}', otherwise: 'The part is no assembly: it has no bill of materials.' },
  built: {
    where: '{assembly} and {active} and not {virtual}',
    otherwise: 'The part cannot be built: it is no assembly, not active, or virtual.',
  },
  component: { where: '{component}', otherwise: 'The part is no component: other parts are not made from it.' },
  purchaseable: { where: '{purchaseable}', otherwise: 'The part is not purchaseable.' },
  salable: { where: '{salable}', otherwise: 'The part is not salable.' },
  sold: { where: '{salable} and not {virtual}', otherwise: 'The part is not salable, or it is virtual.' },
  stocked: { where: 'not {virtual}', otherwise: 'Stock items cannot be created for virtual parts.' },
  template: { where: '{is_template}', otherwise: 'The part is no template: it has no variants.' },
  trackable: { where: '{trackable}', otherwise: 'The part is not trackable.' },
} as const satisfies Record<string, Only>
