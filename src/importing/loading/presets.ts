import type { QueryResultRow } from 'pg'
import { parsePackQuantity, UnitError } from '../../notation/units/physical-units.ts'
import { ACTIVE_STATES_SQL } from '../../resources/build/build-status.ts'
import type { HeaderKind } from '../../resources/order/order-kind.ts'
import { SALES_ORDER } from '../../resources/order/so/so-kind.ts'
import { TRANSFER_ORDER } from '../../resources/order/transfer-order/transfer-order-kind.ts'
import { toNumericValue, type ValueFormat } from '../../resources/parameter/parameter-value.ts'
import { PART_FLAGS } from '../../resources/part/part-flags.ts'
import { toTestKey } from '../../resources/part/test-template/test-key.ts'
import { getUnitRegistry } from '../../resources/units/unit-registry.ts'
import { renderBatchCode } from '../../settings/batch-code-template.ts'
import { formatNextReference, parseReferenceInteger } from '../../settings/reference-pattern.ts'
import type { GlobalSnapshot } from '../../settings/store.ts'
import { InvalidRecord } from '../reading/record.ts'
import type { Relations } from '../reading/relations.ts'
import type { RuleContext } from './value-rules.ts'

/** The number of a dump's records that exist already, by model, for each kind whose table is in use. Such kinds are not loaded. */
export type ExistingCounts = ReadonlyMap<string, number>

/** Data for defaults and checks when the records of a kind are loaded. Records of earlier kinds are in the database by then. */
export type Context = {
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  settings: GlobalSnapshot
  relations: Relations
  existing: ExistingCounts
} & RuleContext

/**
 * Defaults of columns whose fields a record omits, where they differ from the column's own default: those of InvenTree's models. Each
 * receives the row as built so far, with the columns before it in the table, and the fields of the record.
 */
export type Presets = Record<
  string,
  (row: Readonly<Record<string, unknown>>, fields: Readonly<Record<string, unknown>>) => unknown
>

/** Defaults of new parts, from the settings; and the owner that stands for the responsible user of older dumps. */
export async function partPresets({ query, settings, relations }: Context): Promise<Presets> {
  const owners = await query<{ pk: number; user: number }>('select pk, "user" from owner where "user" is not null')
  const ownersByUser = new Map(owners.map(({ pk, user }) => [user, pk]))
  return {
    ...Object.fromEntries(Object.entries(PART_FLAGS).map(([name, { key }]) => [name, () => settings.get(key)])),
    // tests belonged to trackable parts before InvenTree 0.17
    testable: ({ trackable }) => trackable,
    responsible(_, { responsible }) {
      const user = Array.isArray(responsible) ? relations.resolveKey('user', responsible) : responsible
      return ownersByUser.get(user as number)
    },
  }
}

export const stockPresets = ({ settings }: Context): Presets => ({
  batch: () => renderBatchCode(settings.get('STOCK_BATCH_CODE_TEMPLATE'), new Date()),
  delete_on_deplete: () => settings.get('STOCK_DELETE_DEPLETED_DEFAULT'),
  // unknown before InvenTree 1.3
  creation_date: () => null,
})

/** The next reference of an order type, and the number by which references are sorted. */
export const orderPresets =
  (kind: HeaderKind) =>
  ({ settings, relations }: Context): Presets => {
    const pattern = settings.get(`${kind.settings}_REFERENCE_PATTERN`)
    return {
      reference: () => formatNextReference(pattern, relations.takeHighestOrderNumber(`order.${kind.model}`), new Date()),
      // unknown in dumps of releases before 1.5
      updated_at: () => null,
      reference_int: ({ reference }) => (typeof reference === 'string' ? parseReferenceInteger(pattern, reference) : undefined),
    }
  }

/** The number by which build orders are sorted. */
export const buildPresets = ({ settings }: Context): Presets => ({
  reference_int: ({ reference }) =>
    typeof reference === 'string' ? parseReferenceInteger(settings.get('BUILDORDER_REFERENCE_PATTERN'), reference) : undefined,
})

/**
 * An allocation is open while its order is open and its shipment has not been sent. Stock that was loaded before its allocations may have
 * been shipped since.
 */
export async function allocationPresets({ query, existing }: Context): Promise<Presets> {
  const readKeys = async (text: string) => new Set((await query<{ pk: number }>(text)).map(({ pk }) => pk))
  const openStatuses = SALES_ORDER.states.open.join(', ')
  const openLines = await readKeys(
    `select line.pk from sales_order_line line join sales_order o on o.pk = line."order" where o.status in (${openStatuses})`,
  )
  const sentShipments = await readKeys('select pk from sales_order_shipment where shipment_date is not null')
  const unavailableItems = existing.has('stock.stockitem')
    ? await readKeys('select pk from stock_item where not in_stock')
    : new Set()
  return {
    is_open({ line, shipment, item }) {
      const isOpen = openLines.has(line as number) && !sentShipments.has(shipment as number)
      if (isOpen && unavailableItems.has(item as number)) throw new InvalidRecord(`item ${item} is no longer in stock`)
      return isOpen
    },
  }
}

/** An allocation for a transfer order is open while the order is. */
export async function transferAllocationPresets({ query, existing }: Context): Promise<Presets> {
  const readKeys = async (text: string) => new Set((await query<{ pk: number }>(text)).map(({ pk }) => pk))
  const openLines = await readKeys(
    `select line.pk from transfer_order_line line join transfer_order o on o.pk = line."order"
     where o.status in (${TRANSFER_ORDER.states.open.join(', ')})`,
  )
  const unavailableItems = existing.has('stock.stockitem')
    ? await readKeys('select pk from stock_item where not in_stock')
    : new Set()
  return {
    is_open({ line, item }) {
      const isOpen = openLines.has(line as number)
      if (isOpen && unavailableItems.has(item as number)) throw new InvalidRecord(`item ${item} is no longer in stock`)
      return isOpen
    },
  }
}

/** Takes the component of a build line from its BOM line. */
export async function buildLinePresets({ query }: Context): Promise<Presets> {
  const items = await query<{ pk: number; sub_part: number }>('select pk, sub_part from bom_item')
  const components = new Map(items.map(({ pk, sub_part }) => [pk, sub_part]))
  return { part: ({ bom_item }) => components.get(bom_item as number) }
}

/** An allocation for a build order is open while the order is in progress. */
export async function buildAllocationPresets({ query, existing }: Context): Promise<Presets> {
  const openLines = new Set(
    (
      await query<{ pk: number }>(
        `select line.pk from build_line line join build_order b on b.pk = line.build where b.status in ${ACTIVE_STATES_SQL}`,
      )
    ).map(({ pk }) => pk),
  )
  const unavailableItems = existing.has('stock.stockitem')
    ? new Set((await query<{ pk: number }>('select pk from stock_item where not in_stock')).map(({ pk }) => pk))
    : new Set()
  return {
    is_open({ build_line, stock_item }) {
      const isOpen = openLines.has(build_line as number)
      if (isOpen && unavailableItems.has(stock_item as number))
        throw new InvalidRecord(`item ${stock_item} is no longer in stock`)
      return isOpen
    },
  }
}

/** Computes the pack quantity in units of the part from its text, such as "1 spool". */
export async function supplierPartPresets({ query }: Context): Promise<Presets> {
  const registry = await getUnitRegistry({ query })
  const parts = await query<{ pk: number; units: string }>(`select pk, units from part where units <> ''`)
  const units = new Map(parts.map((part) => [part.pk, part.units]))
  return {
    pack_quantity_native({ part, pack_quantity }) {
      if (typeof pack_quantity !== 'string' || pack_quantity.trim() === '') return undefined
      try {
        return parsePackQuantity(pack_quantity, units.get(part as number) ?? null, registry)
      } catch (error) {
        throw error instanceof UnitError ? new InvalidRecord(`pack_quantity: ${error.message}`) : error
      }
    },
  }
}

/** The numeric value of a parameter, in the units of its template. */
export async function parameterPresets({ query }: Context): Promise<Presets> {
  const registry = await getUnitRegistry({ query })
  const templates = await query<ValueFormat & { pk: number }>('select pk, units, checkbox, choices from parameter_template')
  const kinds = new Map(templates.map((kind) => [kind.pk, kind]))
  return {
    data_numeric({ template, data }) {
      const kind = kinds.get(template as number)
      return kind && typeof data === 'string' ? toNumericValue(data, kind, registry) : undefined
    },
  }
}

/** Parameters of InvenTree before 1.2 have no time of change. */
export const partParameterPresets = async (context: Context): Promise<Presets> => ({
  ...(await parameterPresets(context)),
  updated: () => null,
})

/** The key of a test, for results in older dumps that do not store it. */
export const testTemplatePresets = (): Presets => ({
  key: ({ test_name }) => (typeof test_name === 'string' ? toTestKey(test_name) : undefined),
})

/** A test result that names its test, as in dumps before 0.14. */
type NamedResult = { item: number; test: string }

/**
 * The test of a result that only names it: the one with that key of the item's part or of a template above it, or else a new one of the
 * part, which is not required.
 */
export async function testResultPresets({ query, relations }: Context): Promise<Presets> {
  const named = relations.listNamedTestResults()
  if (named.length === 0) return {}
  const tests = await findTests(query, named)
  return {
    template({ stock_item }, { test }) {
      return typeof test === 'string' ? tests.get(`${stock_item} ${toTestKey(test)}`) : undefined
    },
  }
}

/** Returns the tests of results by their item and their key. Creates those that are missing. */
async function findTests(query: Context['query'], results: readonly NamedResult[]): Promise<Map<string, number>> {
  const wanted = results.map(({ item, test }) => ({ item, key: toTestKey(test), name: test.slice(0, 100) }))
  const values = [JSON.stringify(wanted)]
  // path of a part: the templates above it, and itself
  const found = `
    select distinct on (wanted.item, wanted.key) wanted.item, wanted.key, wanted.name, item.part, test.pk
    from json_to_recordset($1) wanted (item integer, key text, name text)
      join stock_item item on item.pk = wanted.item
      join part on part.pk = item.part
      left join part_test_template test on test.part = any(part.path) and test.key = wanted.key
    where wanted.key <> ''
    order by wanted.item, wanted.key, test.pk`
  await query(
    `insert into part_test_template (pk, part, test_name, key, required)
     select (select coalesce(max(pk), 0) from part_test_template) + row_number() over (order by part, key), part, min(name), key, false
     from (${found}) found where pk is null group by part, key`,
    values,
  )
  const tests = await query<{ item: number; key: string; pk: number }>(`select item, key, pk from (${found}) found`, values)
  return new Map(tests.map(({ item, key, pk }) => [`${item} ${key}`, pk]))
}
