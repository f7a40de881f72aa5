import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { buildContains } from '../../kit/reading/search.ts'
import { changeRoles } from '../../kit/request/caller.ts'
import { outOfRangeErrors } from '../../kit/request/constraint.ts'
import { partCategoryBrief } from '../part/category/part-category.resource.ts'
import { partBrief } from '../part/part.resource.ts'
import { ONLY_PARTS } from '../part/part-flags.ts'
import { flawedStock } from '../stock/inconsistent-stock.ts'
import { sumInProduction } from '../stock/quantity-in-production.ts'
import { getAvailableStockSql } from './available-stock.ts'
import { bomErrors } from './bom-errors.ts'
import { bomFilters, IS_VALIDATED } from './bom-item.filters.ts'
import { bomItem as table } from './bom-item.table.ts'
import { checkLine, checkNewLines, lockLines, requireUnlockedAssemblies, trackNewLines } from './bom-rules.ts'
import { checkOverage } from './overage.ts'
import { substituteFields } from './substitute/bom-substitute.fields.ts'
import { bomSubstitute } from './substitute/bom-substitute.table.ts'
import { trackAssemblies } from './track-assemblies.ts'

const PATH = '/api/bom/'

const loopRule =
  'Rejects a component that is the assembly, belongs to the same template and variants, or contains one of these at any depth; the same holds for substitutes and allowed variants. A trackable component needs a whole quantity, and makes the assembly trackable too.'

const { ofComponent, ofSubstitutes, ofVariants } = getAvailableStockSql({ component: 'sub_part', line: '{pk}' })

/** SQL: the component has a category with a matching name. It looks up categories first, then their parts. */
const MATCHES_CATEGORY = `{sub_part} in (
  select component.pk {from part} component where component.category in (select category.pk {from part_category} category where ${buildContains('category.name')})
)`

/** A quantity of the component, in its units. */
const amount = (sql: string, help: string, label?: string): f.Field =>
  f.computed(Type.Number(), `trim_scale(${sql})`, { label, help: `${help}, in its units.` })

const price = (sql: string, help: string): f.Field => ({
  ...f.computed(input.orNull(Type.String({ format: 'decimal' })), `${sql}::text`, {
    type: 'decimal',
    help: `${help}, in the currency of its prices, as last calculated; null if never.`,
  }),
  order: [sql],
})

/** A price, which `pricing=false` leaves out. */
const onRequest = (field: f.Field): f.Field => ({ ...field, flag: { name: 'pricing', list: true, detail: true } })

/** How many units of the assembly the available stock of the component makes. */
export const CAN_BUILD = `case when {quantity} > 0 then greatest(
  (${ofComponent} + ${ofSubstitutes} + case when {allow_variants} then ${ofVariants} else 0 end - {setup_quantity}) / ({quantity} * (1 + {attrition} / 100)), 0
) else 0 end`

const total = (name: string) => `as_money({sub_part.part_pricing.${name}} * {quantity})`

/** See docs/interface/builds.md#bom-lines. */
export const bomItem = resource({
  path: PATH,
  name: 'BOM item',
  description: 'A line of a BOM: the quantity of a component in one unit of an assembly.',
  remarks: {
    list: 'The lines of a part (`part=`) include those inherited from the templates above it.',
    create: loopRule,
    update: `${loopRule} A change of the meaning of a line marks it as not validated.`,
    delete: 'Deletes its substitutes as well.',
  },
  example: {
    pk: 1,
    create: { part: 23, sub_part: 13, quantity: 2, reference: 'J1, J2', setup_quantity: 1, attrition: 2 },
    replace: { part: 23, sub_part: 1, quantity: 4, reference: 'R1-R4', overage: '5 %' },
    change: { note: 'Placed by hand' },
    deletable: 3,
  },
  model: 'bomitem',
  table,
  access: changeRoles('bom'),
  bulkUpdate: true,
  fields: {
    allow_variants: f.column(table.allow_variants, {
      filter: true,
      order: true,
      label: 'Allow Variants',
      help: 'Whether variants of the component may be used instead.',
    }),
    inherited: f.column(table.inherited, {
      filter: true,
      order: true,
      label: 'Gets inherited',
      help: 'Whether all variants of the assembly inherit the line.',
    }),
    note: f.column(table.note, { help: 'A note on the line; may be empty.' }),
    optional: f.column(table.optional, {
      filter: true,
      order: true,
      help: 'Whether the assembly can be built without it. Automatic allocation skips optional components by default.',
    }),
    consumable: f.column(table.consumable, {
      filter: true,
      order: true,
      help: 'Whether it is consumed without being counted: stock is never allocated for it.',
    }),
    overage: f.column(table.overage, {
      check: checkOverage,
      help: 'The expected loss per build order: a quantity, in units of the component, or a percentage of the used quantity, such as 5 %; empty for none.',
    }),
    setup_quantity: f.column(table.setup_quantity, {
      min: 0,
      label: 'Setup Quantity',
      help: 'The quantity that each build order uses in addition, such as for setting up a machine, in units of the component.',
    }),
    attrition: f.column(table.attrition, {
      min: 0,
      max: 100,
      help: 'The expected loss, as a percentage of the used quantity: 10 for a tenth more.',
    }),
    rounding_multiple: f.column(table.rounding_multiple, {
      label: 'Rounding Multiple',
      help: 'What a build order requires is rounded up to a multiple of this quantity, in units of the component; empty for no rounding.',
    }),
    pk: f.pk(table.pk),
    part: f.ref(table.part, {
      required: true,
      only: ONLY_PARTS.assembly,
      filters: { assembly: true },
      model: 'part',
      apiUrl: '/api/part/',
      api530: { metadata: { label: 'Assembly' } },
      help: 'The assembly; the part must be an assembly.',
    }),
    part_detail: f.nested(table.part, () => partBrief(), {
      flag: { name: 'part_detail' },
      api530: { metadata: { label: 'Assembly' } },
      help: 'The assembly.',
    }),
    pricing_min: onRequest(price('{sub_part.part_pricing.overall_min}', 'The minimum cost of one unit of the component')),
    pricing_max: onRequest(price('{sub_part.part_pricing.overall_max}', 'The maximum cost of one unit of the component')),
    pricing_min_total: onRequest(price(total('overall_min'), 'The minimum cost of the quantity')),
    pricing_max_total: onRequest(price(total('overall_max'), 'The maximum cost of the quantity')),
    pricing_updated: onRequest({
      ...f.computed(input.orNull(Type.String()), f.isoTimestamp('{sub_part.part_pricing.updated}'), {
        type: 'datetime',
        help: 'When the prices of the component were last calculated; null if never.',
      }),
      order: ['{sub_part.part_pricing.updated}'],
    }),
    quantity: f.column(table.quantity, {
      required: true,
      default: '1',
      min: 0,
      order: true,
      api530: { input: { required: false } },
      help: 'The quantity of the component in one unit of the assembly, above zero, in units of the component.',
    }),
    raw_amount: {
      ...f.computed(Type.String(), 'coalesce({entered_quantity}, trim_scale({quantity})::text)', {
        label: 'Amount',
        help: 'The quantity as it is entered, with or without a unit, such as 500 mg for a component in g. A change of it changes the quantity.',
      }),
      input: input.text({ max: 25, blank: false }),
    },
    reference: f.column(table.reference, {
      search: true,
      help: 'The designators in the assembly, such as R1, R2; may be empty.',
    }),
    sub_part: {
      ...f.ref(table.sub_part, {
        required: true,
        only: ONLY_PARTS.component,
        filters: { component: true },
        model: 'part',
        apiUrl: '/api/part/',
        api530: { metadata: { label: 'Component' } },
        label: 'Sub part',
        help: 'The component; the part must be a component.',
      }),
      order: ['{sub_part.name}'],
    },
    sub_part_detail: f.nested(table.sub_part, () => partBrief(), {
      flag: { name: 'sub_part_detail' },
      api530: { metadata: { label: 'Component' } },
      help: 'The component.',
    }),
    category_detail: f.nested('{sub_part.category}', () => partCategoryBrief(), {
      flag: { name: 'category_detail' },
      api530: { metadata: { label: 'Category' } },
      help: 'The category of the component.',
    }),
    substitutes: f.rows(bomSubstitute.bom_item, () => ({ table: bomSubstitute, fields: substituteFields }), {
      flag: { name: 'substitutes', list: true, detail: true, api530: false },
      help: 'The substitutes for the component.',
    }),
    validated: {
      ...f.computed(Type.Boolean(), IS_VALIDATED, {
        filter: { kind: 'boolean', sql: IS_VALIDATED },
        help: 'Whether the line is validated and unchanged since then; it cannot be set here.',
      }),
      input: input.boolean({ default: false }),
    },
    available_stock: {
      ...amount(ofComponent, 'The available quantity of the component itself: in stock and not allocated', 'Available Stock'),
      filter: { kind: 'boolean', sql: `${ofComponent} > 0`, help: 'Whether the component has available stock.' },
      order: [ofComponent],
    },
    flawed_stock: flawedStock({
      parts: `(
        select variant.pk {from part} variant where variant.path @> array[{sub_part}] and (variant.pk = {sub_part} or {allow_variants})
      )`,
    }),
    available_substitute_stock: amount(ofSubstitutes, 'The same of its substitutes'),
    available_variant_stock: amount(ofVariants, 'The same of all other variants of the component, whether allowed or not'),
    external_stock: amount(
      'coalesce({sub_part.part_quantity.external_stock}, 0)',
      'The quantity of the component in external locations',
    ),
    on_order: {
      ...amount('coalesce({sub_part.part_quantity.ordering}, 0)', 'The quantity of the component on order', 'On Order'),
      filter: {
        kind: 'boolean',
        sql: '{sub_part.part_quantity.ordering} > 0',
        help: 'Whether the component is on order.',
      },
    },
    can_build: {
      ...amount(
        CAN_BUILD,
        'The number of assemblies that available stock of the component, its substitutes and allowed variants makes',
      ),
      label: 'Can Build',
      help: 'The number of assemblies for which the component, its substitutes and its allowed variants are available.',
      flag: { name: 'can_build', list: false, detail: false, api530: true },
    },
    building: {
      ...amount(
        'coalesce({sub_part.part_quantity.building}, 0)',
        'The quantity of the component in production on open build orders',
        'In Production',
      ),
      api530: { value: { sql: `trim_scale(${sumInProduction('{sub_part}')})` } },
    },
  },
  order: {
    can_build: [CAN_BUILD],
    setup_quantity: ['{setup_quantity}'],
    attrition: ['{attrition}'],
    rounding_multiple: ['{rounding_multiple}'],
    reference: ['{reference}'],
    category: ['{sub_part.category.name}'],
    IPN: ['{sub_part.IPN}'],
    validated: [IS_VALIDATED],
  },
  filters: bomFilters,
  search: [
    '{sub_part.name}',
    '{sub_part.description}',
    '{sub_part.IPN}',
    '{sub_part.revision}',
    '{sub_part.keywords}',
    MATCHES_CATEGORY,
  ],
  constraints: {
    ...outOfRangeErrors('quantity'),
    bom_item_rounding_multiple_check: { rounding_multiple: [bomErrors.component_quantity_must_be_positive] },
    bom_item_parts_check: { sub_part: [bomErrors.component_of_itself] },
    bom_item_loop: {
      sub_part: [bomErrors.component_loop],
    },
  },
  bulkDelete: true,
  locksFirst: lockLines,
  rules: checkLine,
  beforeDelete: (deletion) => requireUnlockedAssemblies(deletion, [deletion.row.part]),
  afterCreate: (write) => trackNewLines([write]),
  batch: { rules: checkNewLines, afterCreate: trackNewLines },
  afterUpdate: ({ tx, after }) => trackAssemblies(tx, [after('sub_part') as number]),
})
