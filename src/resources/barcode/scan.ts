import type { ActivePlugin, Services } from '../../kit/services/services.ts'
import { queryThrough, type RunQuery } from '../../kit/sql/run-query.ts'
import { isObject } from '../../kit/values/json.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { parseGs1Label } from '../../notation/gs1/gs1-label.ts'
import { type Found, labelOf, readIdentifiers, type SupplierLabel } from '../../plugin-api/index.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { hashBarcode, trimCode } from './barcode-hash.ts'
import { findByGtin } from './gtin.ts'
import { type BarcodeKind, listKindsFor } from './kinds.ts'
import { type CodeTarget, findOwnOrLinked, findOwnWithBody, type MatchWithBody } from './linked.ts'
import { validateLabel } from './read-label.ts'
import { createScanProblem, toScanFields } from './response.ts'
import type { PluginLabel, Scan, ScanContext } from './scan-result.ts'
import { findSupplierParts, identifiesProduct, lookUpLabels } from './supplier-part.ts'

/** The plugin for the codes of this service: its key, and its name for existing clients. */
export const OWN_PLUGIN = { key: 'inventreebarcode', name: 'InvenTreeBarcode' }

/** Milliseconds that a plugin may take to read or create a code. */
export const PLUGIN_TIMEOUT_MS = 5_000

export const NO_STOCK_ITEM = barcodeErrors.barcode_without_stock_item
const NO_MATCH = barcodeErrors.barcode_not_found
const GTIN_AMBIGUOUS = barcodeErrors.gtin_ambiguous
export const SUPPLIER_PART_AMBIGUOUS = barcodeErrors.supplier_part_ambiguous
const PLUGIN_INACTIVE = barcodeErrors.barcode_plugin_inactive({ plugin: OWN_PLUGIN.name })

/**
 * Finds the object of a code, in this order: a code of this service; a linked code; the supplier part, manufacturer part or part whose
 * number is its GTIN, or which is linked to another code with that GTIN; the object that a plugin finds; the supplier part of a supplier's
 * label. Objects that the caller cannot view are not found. A plugin that fails or times out is ignored.
 *
 * It calls plugins, which takes time: call it before a transaction begins.
 * @param rawValue the code as received
 */
export async function scan(context: ScanContext, rawValue: string): Promise<Scan> {
  const text = trimCode(rawValue)
  const searchedKinds = listKindsFor(context.caller, 'view')
  const emptyResult = { text, hash: hashBarcode(text), plugin: null, labels: [] }
  const own = await findOwnObject(context, text, searchedKinds)
  if (own) return { ...emptyResult, plugin: OWN_PLUGIN.name, matched: own.match, body: own.body }
  const gtin = readOwnLabel(context, text)?.gtin
  const gtinMatches = gtin ? await findByGtin(queryThrough(context), gtin, searchedKinds) : []
  if (gtinMatches.length === 1) return { ...emptyResult, plugin: OWN_PLUGIN.name, matched: gtinMatches[0] }
  if (gtinMatches.length > 1) return { ...emptyResult, plugin: OWN_PLUGIN.name, candidates: gtinMatches, error: GTIN_AMBIGUOUS }
  const otherPlugins = listScanPlugins(context).filter(({ key }) => key !== OWN_PLUGIN.key)
  const result = await scanWithPlugins(context, otherPlugins, text, searchedKinds)
  if (result) return { ...emptyResult, ...result }
  return { ...emptyResult, ...(await findByLabels(context, await readLabels(context, text), searchedKinds)) }
}

/** Returns the key of the stock item that a scan found. @throws Problem 400 with `error` */
export function requireStockItem(context: ScanContext, outcome: Scan): number {
  const { matched, candidates, error } = outcome
  if (matched?.kind === 'stockitem') return matched.pk
  throw createScanProblem(context, matched || candidates ? NO_STOCK_ITEM : (error as ErrorMessage), toScanFields(outcome))
}

/**
 * Finds the object that a code of this service names or is linked to. Finds nothing while the plugin for these codes is off.
 * @param short the object that it names as a short code (`readShortCode`)
 */
export const findOwnCode = async (
  context: ScanContext,
  read: RunQuery,
  text: string,
  searchedKinds: readonly BarcodeKind[],
  short: CodeTarget | undefined,
): Promise<Found | undefined> => (findOwnPlugin(context) ? findOwnOrLinked(read, text, searchedKinds, short) : undefined)

/** The same, with the object's body if that needs no further statement; existing clients do not get the body. */
async function findOwnObject(
  context: ScanContext,
  text: string,
  searchedKinds: readonly BarcodeKind[],
): Promise<MatchWithBody | undefined> {
  const short = await readShortCode(context, text, searchedKinds)
  if (!context.config.wire.barcodeResultOnly && findOwnPlugin(context))
    return findOwnWithBody(context, text, searchedKinds, short)
  const outcome = await findOwnCode(context, queryThrough(context), text, searchedKinds, short)
  return outcome && { match: outcome }
}

/** Reads the object that a short code of this service names, whether it exists or not. It calls a plugin: call it before a transaction begins. */
export async function readShortCode(
  context: ScanContext,
  text: string,
  searchedKinds: readonly BarcodeKind[],
): Promise<CodeTarget | undefined> {
  const plugin = findOwnPlugin(context)
  const result = plugin && (await callPlugin(context, plugin, text, validateMatch))
  const kind = result && searchedKinds.find(({ key }) => key === result.value.kind)
  return kind && { kind, pk: result.value.pk }
}

/** Requires that the plugin for the codes of this service is active. @throws Problem 400 */
export function requireOwnCodes(context: ScanContext): void {
  if (!findOwnPlugin(context)) throw createScanProblem(context, PLUGIN_INACTIVE, { plugin: OWN_PLUGIN.name })
}

const listScanPlugins = ({ plugins }: Services): readonly ActivePlugin[] => plugins.withHook('barcode.scan')

/** The plugin for the codes of this service, if it is active. */
export const findOwnPlugin = (context: Services): ActivePlugin | undefined =>
  listScanPlugins(context).find(({ key }) => key === OWN_PLUGIN.key)

/** Reads a GS1 code of any supplier, if the plugin for the service's own codes is active. */
const readOwnLabel = (context: ScanContext, text: string): SupplierLabel | undefined =>
  findOwnPlugin(context) ? parseGs1Label(text) : undefined

/** Reads a label with the data identifiers of ISO/IEC 15434, from any supplier. */
function parseMessageLabel(text: string): SupplierLabel | undefined {
  const identifiers = readIdentifiers(text)
  return identifiers && labelOf(identifiers)
}

/**
 * Reads a label by GS1 and by the plugins of suppliers, in the order of the plugins. A label that none of these recognizes is read by its
 * data identifiers, and names no supplier.
 */
export async function readLabels(context: ScanContext, text: string): Promise<PluginLabel[]> {
  const own = readOwnLabel(context, text)
  const read = await callPlugins(context, context.plugins.withHook('supplierBarcode.read'), text, validateLabel)
  const labels = read.map(({ plugin, value }) => ({ plugin, label: value }))
  const genericLabel = own ?? (labels.length === 0 && findOwnPlugin(context) ? parseMessageLabel(text) : undefined)
  return [...(genericLabel ? [{ plugin: OWN_PLUGIN.name, label: genericLabel }] : []), ...labels]
}

/**
 * Finds the supplier part of the first unambiguous label; otherwise returns the error of the first label that is ambiguous or contradicts the
 * supplier part found.
 */
async function findByLabels(
  context: ScanContext,
  read: readonly PluginLabel[],
  searchedKinds: readonly BarcodeKind[],
): Promise<Pick<Scan, 'labels'> & Partial<Scan>> {
  const { labels } = await lookUpLabels(context, read)
  let firstFailure: Partial<Scan> | undefined
  if (searchedKinds.some(({ key }) => key === 'supplierpart'))
    for (const supplierLabel of labels.filter(({ label }) => identifiesProduct(label))) {
      const { plugin, conflict } = supplierLabel
      const outcome = (await findSupplierParts(queryThrough(context), supplierLabel)).map((pk) => ({ kind: 'supplierpart', pk }))
      if (outcome.length === 1) return { labels, plugin, matched: outcome[0] }
      if (outcome.length > 1) firstFailure ??= { plugin, candidates: outcome, error: SUPPLIER_PART_AMBIGUOUS }
      else if (conflict) firstFailure ??= { plugin, error: conflict }
    }
  return { labels, ...(firstFailure ?? { error: findOwnPlugin(context) ? NO_MATCH : PLUGIN_INACTIVE }) }
}

/** Returns the first existing object that these plugins found. */
async function scanWithPlugins(
  context: ScanContext,
  plugins: readonly ActivePlugin[],
  text: string,
  searchedKinds: readonly BarcodeKind[],
): Promise<Pick<Scan, 'plugin' | 'matched'> | undefined> {
  for (const { plugin, value } of await callPlugins(context, plugins, text, validateMatch)) {
    const kind = searchedKinds.find(({ key }) => key === value.kind)
    const rows = kind ? await queryThrough(context)(`select from ${kind.table} where pk = $1`, [value.pk]) : []
    if (rows.length > 0) return { plugin, matched: value }
  }
  return undefined
}

/** Validates the object that a plugin found; plugins are not trusted. @throws Error when it is not an object of a type */
function validateMatch(rawValue: unknown): Found {
  if (!isObject(rawValue) || typeof rawValue.kind !== 'string' || !isKey(rawValue.pk))
    throw new Error('it found what is no object')
  return { kind: rawValue.kind, pk: rawValue.pk }
}

const isKey = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0 && Number(value) < 2 ** 31

type PluginResult<T> = { plugin: string; value: T }

/** Calls these plugins concurrently and returns their results, in the order of the plugins. */
async function callPlugins<T>(
  context: ScanContext,
  plugins: readonly ActivePlugin[],
  text: string,
  read: (rawValue: unknown) => T,
): Promise<PluginResult<T>[]> {
  const results = await Promise.all(plugins.map((plugin) => callPlugin(context, plugin, text, read)))
  return results.filter((result) => result !== undefined)
}

async function callPlugin<T>(
  { caller, log }: ScanContext,
  plugin: ActivePlugin,
  text: string,
  read: (rawValue: unknown) => T,
): Promise<PluginResult<T> | undefined> {
  try {
    const isNothing = (rawValue: unknown) => rawValue === undefined || rawValue === null
    const check = (rawValue: unknown) => void (isNothing(rawValue) || read(rawValue))
    const rawValue = await plugin.call([text], { caller, milliseconds: PLUGIN_TIMEOUT_MS, check })
    return isNothing(rawValue) ? undefined : { plugin: plugin.name, value: read(rawValue) }
  } catch (error) {
    log.warn({ plugin: plugin.key, reason: (error as Error).message }, 'a plugin failed at a scan')
    return undefined
  }
}
