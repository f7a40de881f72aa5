import { Type } from 'typebox'
import * as f from '../../kit/definition/field.ts'
import * as input from '../../kit/definition/input.ts'
import { resource } from '../../kit/definition/resource.ts'
import { contains } from '../../kit/reading/search.ts'
import { rolesThatChange } from '../../kit/request/caller.ts'
import { tooLarge } from '../../kit/request/constraint.ts'
import { partBrief } from '../part/part.resource.ts'
import { ONLY_PARTS } from '../part/part-flags.ts'
import { flawedStock } from '../stock/flawed-stock.ts'
import { availableStock } from './available-stock.ts'
import { bomErrors } from './bom-errors.ts'
import { bomFilters, validated } from './bom-item.filters.ts'
import { bomItem as table } from './bom-item.table.ts'
import { checkLine, checkNewLines, lockLines, trackNewLines } from './bom-rules.ts'
import { overageObjection } from './overage.ts'
import { substituteFields } from './substitute/bom-substitute.fields.ts'
import { bomSubstitute } from './substitute/bom-substitute.table.ts'
import { trackAssemblies } from './track-assemblies.ts'

const ADDRESS = '/api/bom/'

const refused =
  'The component must not be the assembly, nor of its template and variants, nor contain one of these at any depth; nor may the assembly itself go into what may be used in place of a component, substitutes and allowed variants. Of a trackable component it takes a whole number, and the assembly becomes trackable too.'

const { ofComponent, ofSubstitutes, ofVariants } = availableStock({ component: 'sub_part', line: '{pk}' })

/** The lines whose component is of a category of such a name: categories are looked up first, then their parts. */
const ofCategory = `{sub_part} in (
  select sorted.pk {from part} sorted where sorted.category in (select named.pk {from part_category} named where ${contains('named.name')})
)`

/** A sum of the component, in its units. */
const amount = (sql: string, help: string, label?: string): f.Field =>
  f.computed(Type.Number(), `trim_scale(${sql})`, { label, help: `${help}, in its units.` })

const price = (sql: string, help: string): f.Field => ({
  ...f.computed(input.orNull(Type.String()), `${sql}::text`, {
    type: 'decimal',
    help: `${help}, in the currency of its prices, as last worked out; null if never.`,
  }),
  order: [sql],
})

const total = (name: string) => `as_money({sub_part.part_pricing.${name}} * {quantity})`

/** See the reference description of parts and builds, section 11. */
export const bomItem = resource({
  path: ADDRESS,
  name: 'BOM item',
  description: 'A line of a bill of materials: so much of a component goes into one unit of an assembly.',
  remarks: {
    list: 'The lines of a part (`part=`) include those that it inherits of the templates above it.',
    create: refused,
    update: `${refused} What changes the meaning of a line makes it invalid.`,
    delete: 'The parts that may be used in place of its component go with it.',
  },
  example: {
    pk: 1,
    create: { part: 23, sub_part: 13, quantity: 2, reference: 'J1, J2', overage: '2 %' },
    replace: { part: 23, sub_part: 1, quantity: 4, reference: 'R1-R4', overage: '5 %' },
    change: { note: 'Placed by hand' },
    deletable: 3,
  },
  model: 'bomitem',
  table,
  access: rolesThatChange('part'),
  fields: {
    allow_variants: f.column(table.allow_variants, {
      filter: true,
      order: true,
      label: 'Allow Variants',
      help: 'Whether variants of the component may be used in its place.',
    }),
    inherited: f.column(table.inherited, {
      filter: true,
      order: true,
      label: 'Gets inherited',
      help: 'Whether the line is one of all variants below the assembly too.',
    }),
    note: f.column(table.note, { help: 'A remark on the line; may be empty.' }),
    optional: f.column(table.optional, {
      filter: true,
      order: true,
      help: 'Whether the assembly can be built without it: it is not allocated unasked.',
    }),
    consumable: f.column(table.consumable, {
      filter: true,
      order: true,
      help: 'Whether it is used up without being counted: it is never allocated for build orders.',
    }),
    overage: f.column(table.overage, {
      check: overageObjection,
      help: 'What is lost when it is built: a number for each build order, in units of the component, or a share of what is used, as 5 %; empty for nothing.',
    }),
    pk: f.pk(table.pk),
    part: f.ref(table.part, {
      required: true,
      only: ONLY_PARTS.assembly,
      filters: { assembly: true },
      model: 'part',
      address: '/api/part/',
      help: 'The assembly, which must be a part that is one.',
    }),
    part_detail: f.nested(table.part, () => partBrief(), { flag: { name: 'part_detail' }, help: 'The assembly.' }),
    pricing_min: price('{sub_part.part_pricing.overall_min}', 'The least that one unit of the component costs'),
    pricing_max: price('{sub_part.part_pricing.overall_max}', 'The most that one unit of the component costs'),
    pricing_min_total: price(total('overall_min'), 'The least that the quantity costs'),
    pricing_max_total: price(total('overall_max'), 'The most that the quantity costs'),
    pricing_updated: {
      ...f.computed(input.orNull(Type.String()), f.moment('{sub_part.part_pricing.updated}'), {
        type: 'datetime',
        help: 'When the prices of the component were last worked out; null if never.',
      }),
      order: ['{sub_part.part_pricing.updated}'],
    },
    quantity: f.column(table.quantity, {
      required: true,
      default: '1',
      min: 0,
      order: true,
      help: 'How much of the component goes into one unit of the assembly, above zero, in units of the component.',
    }),
    reference: f.column(table.reference, {
      search: true,
      help: 'Where in the assembly it goes, such as R1, R2; may be empty.',
    }),
    sub_part: {
      ...f.ref(table.sub_part, {
        required: true,
        only: ONLY_PARTS.component,
        filters: { component: true },
        model: 'part',
        address: '/api/part/',
        label: 'Sub part',
        help: 'The component, which must be a part that is one.',
      }),
      order: ['{sub_part.name}'],
    },
    sub_part_detail: f.nested(table.sub_part, () => partBrief(), {
      flag: { name: 'sub_part_detail' },
      help: 'The component.',
    }),
    substitutes: f.rows(bomSubstitute.bom_item, () => ({ table: bomSubstitute, fields: substituteFields }), {
      help: 'The parts that may be used in place of the component.',
    }),
    validated: {
      ...f.computed(Type.Boolean(), validated, {
        filter: { kind: 'boolean', sql: validated },
        help: 'Whether the line says what it said when it was last checked; it cannot be changed here.',
      }),
      input: input.boolean({ default: false }),
    },
    available_stock: {
      ...amount(ofComponent, 'How much of the component itself is in stock and not put by', 'Available Stock'),
      filter: { kind: 'boolean', sql: `${ofComponent} > 0`, help: 'Whether any of the component is in stock and not put by.' },
      order: [ofComponent],
    },
    flawed_stock: flawedStock({
      parts: `(
        select one.pk {from part} one where one.path @> array[{sub_part}] and (one.pk = {sub_part} or {allow_variants})
      )`,
    }),
    available_substitute_stock: amount(ofSubstitutes, 'The same of the parts that may be used in place of the component'),
    available_variant_stock: amount(
      ofVariants,
      'The same of all other variants of the component, whether they may be used or not',
    ),
    external_stock: amount(
      'coalesce({sub_part.part_quantity.external_stock}, 0)',
      'How much of the component lies in external locations',
    ),
    on_order: {
      ...amount(
        'coalesce({sub_part.part_quantity.ordering}, 0)',
        'How much of the component is still to come on open purchase orders',
        'On Order',
      ),
      filter: {
        kind: 'boolean',
        sql: '{sub_part.part_quantity.ordering} > 0',
        help: 'Whether some of the component is still to come on open purchase orders.',
      },
    },
    building: amount(
      'coalesce({sub_part.part_quantity.building}, 0)',
      'How much of the component open build orders are making',
      'In Production',
    ),
  },
  filters: bomFilters,
  search: [
    '{sub_part.name}',
    '{sub_part.description}',
    '{sub_part.IPN}',
    '{sub_part.revision}',
    '{sub_part.keywords}',
    ofCategory,
  ],
  constraints: {
    ...tooLarge('quantity'),
    bom_item_parts_check: { sub_part: [bomErrors.component_of_itself] },
    bom_item_loop: {
      sub_part: [bomErrors.component_loop],
    },
  },
  bulkDelete: true,
  locksFirst: lockLines,
  rules: checkLine,
  created: (write) => trackNewLines([write]),
  several: { rules: checkNewLines, created: trackNewLines },
  updated: ({ tx, after }) => trackAssemblies(tx, [after('sub_part') as number]),
})
