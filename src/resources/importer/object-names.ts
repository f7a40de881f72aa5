import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Access } from '../../kit/request/caller.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { quote } from '../../kit/sql/sql.ts'
import { buildOrder } from '../build/build.resource.ts'
import { parameterTemplate } from '../parameter/template/parameter-template.resource.ts'
import { stockLocationType } from '../stock/location-type/stock-location-type.resource.ts'
import { userAccount } from '../user/user-account.table.ts'
import { importModels } from './import-models.ts'

/** The objects that a reference can name by other values than their keys. */
type NamedObjects = { table: PgTable; access: Access; names: readonly string[] }

/** The columns that identify objects, by the model of a reference, the most specific first. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  address: ['title'],
  company: ['name'],
  contact: ['name', 'email'],
  customunit: ['name'],
  manufacturerpart: ['MPN'],
  parametertemplate: ['name'],
  part: ['IPN', 'name'],
  partcategory: ['pathstring', 'name'],
  projectcode: ['code'],
  purchaseorder: ['reference'],
  returnorder: ['reference'],
  salesorder: ['reference'],
  salesordershipment: ['reference'],
  stocklocation: ['pathstring', 'name'],
  supplierpart: ['SKU'],
  transferorder: ['reference'],
}

let byModel: ReadonlyMap<string, NamedObjects> | undefined

function getNamedObjects(): ReadonlyMap<string, NamedObjects> {
  byModel ??= new Map<string, NamedObjects>([
    ...importModels.flatMap(({ resource: { model, table, access } }) =>
      NAMES[model] ? [[model, { table, access, names: NAMES[model] }] as const] : [],
    ),
    ['build', { table: buildOrder.table, access: buildOrder.access, names: ['reference'] }],
    ['partparametertemplate', { table: parameterTemplate.table, access: parameterTemplate.access, names: ['name'] }],
    ['stocklocationtype', { table: stockLocationType.table, access: stockLocationType.access, names: ['name'] }],
    ['user', { table: userAccount, access: signedIn, names: ['username'] }],
  ])
  return byModel
}

/** The objects behind a reference to this model that have names; undefined if only their keys identify them. */
export const findNamedObjects = (model: unknown): NamedObjects | undefined => getNamedObjects().get(String(model))

/** The value by which a reference can find its objects, `pk` for their keys. */
export const listLookupFields = (model: unknown): string[] => ['pk', ...(findNamedObjects(model)?.names ?? [])]

/**
 * The statement for the keys of the objects that have one of these texts (`$1`) in a column: rows of `text`, `pk`, and whether they have it
 * exactly, as case may differ.
 */
export const buildNameStatement = ({ table }: NamedObjects, name: string): string =>
  `select given.text, t.pk, t.${quote(name)} = given.text as is_exact
   from unnest($1::text[]) given (text) join ${quote(getTableName(table))} t on lower(t.${quote(name)}) = lower(given.text)`
