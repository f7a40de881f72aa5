import type { Only } from '../../kit/definition/input.ts'
import type { GlobalKey } from '../settings/registry.ts'
import { partErrors } from './part-errors.ts'

/** What new parts are, by the settings, and what it means. */
export const PART_FLAGS = {
  assembly: { key: 'PART_ASSEMBLY', help: 'Whether it is made from other parts, by a bill of materials.' },
  component: { key: 'PART_COMPONENT', help: 'Whether other parts are made from it.' },
  is_template: { key: 'PART_TEMPLATE', help: 'Whether other parts can be variants of it.' },
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
  assembly: { where: '{assembly}', otherwise: partErrors.part_without_bom },
  built: {
    where: '{assembly} and {active} and not {virtual}',
    otherwise: partErrors.part_not_buildable,
  },
  component: { where: '{component}', otherwise: partErrors.part_not_a_component },
  purchaseable: { where: '{purchaseable}', otherwise: partErrors.part_not_purchaseable },
  salable: { where: '{salable}', otherwise: partErrors.part_not_salable },
  sold: { where: '{salable} and not {virtual}', otherwise: partErrors.part_not_sold },
  stocked: { where: 'not {virtual}', otherwise: partErrors.part_virtual },
  template: { where: '{is_template}', otherwise: partErrors.part_not_a_template },
  trackable: { where: '{trackable}', otherwise: partErrors.part_not_trackable },
} as const satisfies Record<string, Only>
