import type { ReferenceRestriction } from '../../kit/definition/input.ts'
import type { GlobalKey } from '../../settings/registry.ts'
import { partErrors } from './part-errors.ts'

/** Flags of a part: the setting with the default for new parts, and the help text. */
export const PART_FLAGS = {
  assembly: { key: 'PART_ASSEMBLY', help: 'Whether it can be built from other parts, by a BOM.' },
  component: { key: 'PART_COMPONENT', help: 'Whether it can be a component of other parts.' },
  is_template: { key: 'PART_TEMPLATE', help: 'Whether it can have variants.' },
  purchaseable: {
    key: 'PART_PURCHASEABLE',
    help: 'Whether it can be purchased. Only purchasable parts can have supplier parts.',
  },
  salable: { key: 'PART_SALABLE', help: 'Whether it can be sold. Only stock of salable parts can be assigned to customers.' },
  trackable: {
    key: 'PART_TRACKABLE',
    help: 'Whether its units are tracked individually: quantities are whole, and units can have serial numbers.',
  },
  virtual: { key: 'PART_VIRTUAL', help: 'Whether it cannot be stored, such as software. A virtual part has no stock.' },
} as const satisfies Record<string, { key: GlobalKey; help: string }>

/** Conditions on parts that may be referenced, by use. */
export const ONLY_PARTS = {
  assembly: { where: '{assembly}', error: partErrors.part_without_bom },
  built: {
    where: '{assembly} and {active} and not {virtual}',
    error: partErrors.part_not_buildable,
  },
  component: { where: '{component}', error: partErrors.part_not_a_component },
  purchaseable: { where: '{purchaseable}', error: partErrors.part_not_purchaseable },
  salable: { where: '{salable}', error: partErrors.part_not_salable },
  sold: { where: '{salable} and not {virtual}', error: partErrors.part_not_sold },
  stocked: { where: 'not {virtual}', error: partErrors.part_virtual },
  template: { where: '{is_template}', error: partErrors.part_not_a_template },
  testable: { where: '{testable} or {trackable}', error: partErrors.part_not_testable },
  trackable: { where: '{trackable}', error: partErrors.part_not_trackable },
} as const satisfies Record<string, ReferenceRestriction>
