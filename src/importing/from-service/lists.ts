import { listFileColumns } from '../../kit/reading/stored-files.ts'
import { isPath } from '../../kit/services/files.ts'
import { decodeUriComponent } from '../../kit/values/data-uri.ts'
import { isObject } from '../../kit/values/json.ts'
import { resources } from '../../resources/index.ts'
import { findResource, kinds, type RecordKind } from '../loading/kinds.ts'
import { listFieldNames } from '../loading/row.ts'
import type { SourceRow } from './source.ts'

/** A list of the API, and the model of its records in a dump. */
export type SourceList = {
  model: string
  /** Path of the list, without a leading slash. */
  path: string
  /** Query parameters that add details to the rows. */
  query: string
  /** Names of the columns that a list may leave out and the detail of an object shows. */
  detailFields: readonly string[]
  /** Names of the fields with files. */
  fileFields: readonly string[]
  /** The model whose list has these records too, in newer releases: this one is read only where that one is missing. */
  newerModel?: string | undefined
  /** The rows inside of a row, for records that have no list of their own. */
  unfold?: ((row: SourceRow) => SourceRow[]) | undefined
  /** The fields of a record in a dump; undefined for a row that is left out. */
  toFields(row: SourceRow): Record<string, unknown> | undefined
}

type SpecialList = Partial<Pick<SourceList, 'path' | 'query' | 'unfold'>> & {
  /** Fields of a record whose names or values differ from those of a row; undefined leaves the row out. */
  readFurtherFields?: (row: SourceRow) => Record<string, unknown> | undefined
}

/** Models that have one list for several kinds of objects in newer releases. */
const NEWER_MODELS: readonly (readonly [models: RegExp, newer: string])[] = [
  [/attachment$/, 'common.attachment'],
  [/^part\.partparametertemplate$/, 'common.parametertemplate'],
  [/^(part\.part|company\.manufacturerpart)parameter$/, 'common.parameter'],
  [/^label\.\w+label$/, 'report.labeltemplate'],
  [/^report\.\w+report$/, 'report.reporttemplate'],
]

/** The currency of an order's total, which no list names: its own one, or that of its company. */
const orderList: SpecialList = {
  query: 'supplier_detail=true&customer_detail=true&extended=true',
  readFurtherFields({ order_currency, supplier_detail, customer_detail }) {
    const company = [supplier_detail, customer_detail].find(isObject)
    return { total_price_currency: order_currency || company?.currency }
  },
}

/** Lists whose rows differ from the records of a dump. */
const SPECIAL_LISTS: Record<string, SpecialList> = {
  'stock.stockitemtracking': {
    // it also has the objects of its keys
    readFurtherFields: ({ deltas }) => ({
      deltas: isObject(deltas)
        ? Object.fromEntries(Object.entries(deltas).filter(([name]) => !name.endsWith('_detail')))
        : deltas,
    }),
  },
  'users.owner': {
    readFurtherFields: ({ owner_id, owner_model, label }) => ({
      owner_id,
      owner_type: ['auth', /group/.test(String(owner_model ?? label)) ? 'group' : 'user'],
    }),
  },
  // implied by the permissions for the objects
  'common.attachment': { path: 'api/attachment/' },
  'common.barcodescanresult': { path: 'api/barcode/history/' },
  // in newer releases, inside of the account, without a key of its own
  'users.userprofile': {
    path: 'api/user/',
    unfold: ({ pk, profile }) => (isObject(profile) ? [{ ...profile, pk, user: pk }] : []),
  },
  'report.labeltemplate': { path: 'api/label/template/' },
  'report.reporttemplate': { path: 'api/report/template/' },
  'part.partparametertemplate': { path: 'api/part/parameter/template/' },
  'part.partparameter': { path: 'api/part/parameter/' },
  'common.parameter': {
    path: 'api/parameter/',
    readFurtherFields: ({ model_type }) => ({ model_type: String(model_type).split('.') }),
  },
  'common.selectionlistentry': {
    path: 'api/selection/',
    query: 'choices=true',
    unfold: ({ choices }) =>
      Array.isArray(choices) ? choices.filter(isObject).map((choice) => ({ ...choice, pk: choice.id }) as SourceRow) : [],
  },
  // no column, but the import finds the default supplier by it
  'company.supplierpart': { readFurtherFields: ({ primary }) => (primary === undefined ? {} : { primary }) },
  'stock.stocklocation': {
    query: 'location_type_detail=true',
    // newer releases show the icon of the type in place of one of its own
    readFurtherFields({ custom_icon, icon, location_type_detail: type }) {
      if (custom_icon !== undefined) return {}
      return { custom_icon: isObject(type) && type.icon === icon ? '' : icon }
    },
  },
  'common.inventreesetting': {
    path: 'api/settings/global/',
    // a protected value is shown as asterisks
    readFurtherFields: ({ value }) => (value === '***' ? undefined : { value: toSettingText(value) }),
  },
  'order.purchaseorder': orderList,
  'order.salesorder': orderList,
  'order.returnorder': orderList,
}

/** A dump has settings as Python writes them. */
const toSettingText = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : value === null ? '' : String(value)

/** The lists that hold the records of a dump, in the order in which records refer to each other. */
export const sourceLists: readonly SourceList[] = kinds.flatMap((kind) => {
  const special = SPECIAL_LISTS[kind.model]
  const resource = findResource(kind) ?? resources.find(({ path }) => path === `/${special?.path}`)
  const path = special?.path ?? resource?.path.slice(1)
  // news are fetched from their feed again
  if (path === undefined || kind.model === 'common.newsfeedentry') return []
  const names = listFieldNames(kind)
  const list: SourceList = {
    model: kind.model,
    newerModel: NEWER_MODELS.find(([models, newer]) => models.test(kind.model) && newer !== kind.model)?.[1],
    path,
    // Stockroom shows the newer fields of orders only on request
    query: special?.query ?? (kind.model.startsWith('order.') ? 'extended=true' : ''),
    unfold: special?.unfold,
    detailFields: ['notes', 'tags'].filter((name) => names.has(name)),
    fileFields: resource ? listFileColumns(resource).map(({ column }) => column.name) : [],
    toFields(row) {
      const further = special?.readFurtherFields ? special.readFurtherFields(row) : {}
      return further && { ...readFields(kind, row), ...further }
    },
  }
  return [list]
})

/** The fields of a record that its kind loads, by their names in a dump. */
function readFields(kind: RecordKind, row: SourceRow): Record<string, unknown> {
  const names = listFieldNames(kind)
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    // the import names files by their paths
    if (name === 'pk' || name === 'filename') continue
    // a list of anything else is computed, such as the problems of a template
    const isKeyOrValue = !Array.isArray(value) || name === 'tags' || name === 'groups'
    if (names.has(name) && isKeyOrValue) fields[kind.fieldNames?.[name] ?? name] = toKeys(value)
  }
  return fields
}

/** Objects in place of their keys, alone or in a list, become keys. */
function toKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toKeys)
  return isObject(value) && Number.isInteger(value.pk) ? value.pk : value
}

/** A file that a record names: its path in the media folder, and where it is downloaded, relative to the root of the service. */
export type SourceFile = { path: string; url: string }

/**
 * Reads the URL of a file. Files of a media folder are downloaded from the service itself, since its own idea of its address may be wrong.
 * @returns undefined for no file, or for a picture that stands for a missing one
 */
export function readFileUrl(value: unknown): SourceFile | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  const encodedPath = URL.parse(value, 'http://localhost/')?.pathname ?? ''
  const [, mediaPath] = /^.*?\/media\/(.*)$/.exec(encodedPath) ?? []
  const path = decodeUriComponent(mediaPath ?? encodedPath.slice(1))
  if (path === undefined || !isPath(path) || path.startsWith('static/')) return undefined
  return { path, url: mediaPath === undefined ? value : `media/${mediaPath}` }
}
