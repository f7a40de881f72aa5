import type { QueryResultRow } from 'pg'
import type { Statement } from '../../database/text-query.ts'
import { type Errors, unknownReference } from '../../kit/request/errors.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { compare, type Decimal, isWhole } from '../../kit/values/decimal.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { setting } from '../../settings/live.ts'
import { ONLY_PARTS } from '../part/part-flags.ts'
import { findSerialsInUse } from './serial/serials-in-use.ts'
import { stockErrors } from './stock-errors.ts'

/** The fields of a stock item that its rules use. */
export type StockItemFields = {
  /** Key of an existing item. */
  pk?: number
  part: number
  /** In the units of the part. */
  quantity: Decimal
  serial?: string | null
  location?: number | null
  supplier_part?: number | null
}

type PartFields = { pk: number; root: number; virtual: boolean; trackable: boolean }

/**
 * Returns the errors of stock items with their new values, by field; empty when there are none. Locations are locked until the transaction
 * ends, so that none becomes structural before then, and so are the serial numbers of the parts' trees.
 * @param references the referenced parts, locations and supplier parts, if they were read already
 */
export async function checkStockItems(
  context: Pick<Services, 'settings'> & { tx: Tx },
  items: readonly StockItemFields[],
  references?: StockReferences,
): Promise<Errors> {
  const errors: Errors = {}
  const { parts, structural, supplierParts } = references ?? (await readReferences(context.tx, items))
  const global = setting(context, 'SERIAL_NUMBER_GLOBALLY_UNIQUE')
  const serials = new Set<string>()
  for (const item of items) {
    const part = parts.get(item.part)
    if (part?.virtual) errors.part ??= [ONLY_PARTS.stocked.error]
    if (item.location && structural.has(item.location)) errors.location ??= [STRUCTURAL]
    if (item.supplier_part && supplierParts.get(item.supplier_part) !== item.part)
      errors.supplier_part ??= [stockErrors.supplier_part_of_other_part]
    if (part?.trackable && !isWhole(item.quantity)) errors.quantity ??= [stockErrors.whole_quantity_required]
    if (!item.serial) continue
    if (compare(item.quantity, '1') !== 0) {
      errors.quantity ??= [stockErrors.serialized_quantity_must_be_one]
      errors.serial ??= [stockErrors.serialized_item_is_one]
    }
    const key = `${global ? '' : part?.root} ${item.serial}`
    if (serials.has(key)) errors.serial ??= [serialInUseError(item.serial)]
    serials.add(key)
  }
  const serialized = items.flatMap(({ part, serial }) => (serial ? [{ part, serial }] : []))
  const [used] = await findSerialsInUse(
    context,
    serialized,
    items.flatMap(({ pk }) => pk ?? []),
  )
  if (used !== undefined) errors.serial ??= [serialInUseError(used)]
  return errors
}

const STRUCTURAL = stockErrors.structural_location

const serialInUseError = (serial: string): ErrorMessage => stockErrors.serial_number_in_use({ serial })

/**
 * Locks the status of the build orders of these items, and of the one with this key: closing a build order checks for outputs that are not
 * complete. Must be called before items are locked.
 */
export const lockBuilds = (tx: Tx, pks: readonly number[], build: number | null): Promise<unknown> =>
  tx.query(
    `select from build_order where pk in (select build from stock_item where pk = any($1::integer[]) union all select $2::integer)
     order by pk for share`,
    [pks, build],
  )

/** Returns why stock cannot be placed in a location; undefined when it can. The location is locked as in `checkStockItems`. */
export async function checkLocation(tx: Tx, location: number): Promise<ErrorMessage | undefined> {
  const [rows = []] = await tx.pipeline(locationStatement(location))
  return locationProblem(rows, location)
}

/** Locks a location, for `locationProblem`. */
export const locationStatement = (location: number): Statement => ({
  text: 'select structural from stock_location where pk = $1 for share',
  values: [location],
})

/** Returns why stock cannot be placed in a location. @param rows of `locationStatement` */
export function locationProblem([row]: readonly QueryResultRow[], location: number): ErrorMessage | undefined {
  if (!row) return unknownReference(location)
  return row.structural ? STRUCTURAL : undefined
}

/** Data of the referenced parts, locations and supplier parts that the rules use. */
export type StockReferences = {
  parts: ReadonlyMap<number, PartFields>
  structural: ReadonlySet<number>
  supplierParts: ReadonlyMap<number, number>
}

/**
 * Builds one statement that reads all data for the rules; locations are locked in the order of their keys. `$1`: keys of locations.
 * @param parts an expression for the keys of parts, and of supplier parts
 */
const referencesQuery = (parts: string, supplierParts: string): string => `with locked_location as materialized (
    select pk, structural from stock_location where pk = any($1::integer[]) order by pk for share
  )
  select
    (select coalesce(json_agg(json_build_object('pk', pk, 'root', path[1], 'virtual', virtual, 'trackable', trackable)), '[]')
      from part where pk = any(${parts})) as parts,
    array(select pk from locked_location where structural) as structural,
    (select coalesce(json_agg(json_build_object('pk', pk, 'part', part)), '[]')
      from supplier_part where pk = any(${supplierParts})) as supplier_parts`

const REFERENCES_QUERY = referencesQuery('$2::integer[]', '$3::integer[]')

/** For items received for purchase order lines. */
const LINE_REFERENCES_QUERY = referencesQuery(
  `array(select supplier_part.part from purchase_order_line line join supplier_part on supplier_part.pk = line.part where line.pk = any($2::integer[]))`,
  `array(select part from purchase_order_line where pk = any($2::integer[]))`,
)

type ReferencesRow = { parts: PartFields[]; structural: number[]; supplier_parts: { pk: number; part: number }[] }

/** Reads the data of referenced objects that the rules use. Locks the locations. */
export async function readReferences(
  tx: Tx,
  items: readonly Pick<StockItemFields, 'part' | 'location' | 'supplier_part'>[],
): Promise<StockReferences> {
  const { text, values } = referencesStatement(items)
  return parseReferences(await tx.query(text, [...(values ?? [])]))
}

/** Builds the statement that reads the data for the rules, for `parseReferences`, and locks the locations. */
export const referencesStatement = (
  items: readonly Pick<StockItemFields, 'part' | 'location' | 'supplier_part'>[],
): Statement => ({
  text: REFERENCES_QUERY,
  values: [
    uniqueKeys(items.map(({ location }) => location)),
    uniqueKeys(items.map(({ part }) => part)),
    uniqueKeys(items.map(({ supplier_part }) => supplier_part)),
  ],
})

/** Builds the same statement for items received for purchase order lines. */
export const lineReferencesStatement = (lines: readonly number[], locations: readonly (number | null)[]): Statement => ({
  text: LINE_REFERENCES_QUERY,
  values: [uniqueKeys(locations), lines],
})

/** @param rows of `referencesStatement` or `lineReferencesStatement` */
export function parseReferences([row]: readonly QueryResultRow[]): StockReferences {
  const { parts, structural, supplier_parts } = row as ReferencesRow
  return {
    parts: new Map(parts.map((part) => [part.pk, part])),
    structural: new Set(structural),
    supplierParts: new Map(supplier_parts.map(({ pk, part }) => [pk, part])),
  }
}

/** Returns the keys without duplicates. */
const uniqueKeys = (keys: readonly (number | null | undefined)[]): number[] => [...new Set(keys.flatMap((key) => key ?? []))]
