import { Reply } from '../../kit/definition/action.ts'
import { readDetail } from '../../kit/reading/detail.ts'
import { readDetailFlags } from '../../kit/reading/select.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { isObject, JsonText } from '../../kit/values/json.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { Found } from '../../plugin-api/index.ts'
import { getWebPage } from '../../web-pages.ts'
import { barcodeErrors } from './barcode-errors.ts'
import { findKind } from './kinds.ts'
import type { Scan, ScanContext } from './scan-result.ts'

/** A request for an operation: its body is repeated in the response. */
type ScanningRequest = ScanContext & { body: Readonly<Record<string, unknown>>; raw: Readonly<Record<string, unknown>> }

/**
 * Builds the response of an operation: every field of the body as sent, together with the objects found. Existing clients receive only the
 * objects found, always with 200 (docs/decisions.md#responses-of-barcode-operations).
 * @param nestedKey key for objects found under a name that the body uses
 * @param status 201; 200 if nothing could be done yet, which `action_required` states
 */
export function buildReply(
  request: ScanningRequest,
  result: Readonly<Record<string, unknown>>,
  { nestedKey = 'matched', status = 201 }: { nestedKey?: string; status?: 200 | 201 } = {},
): Reply {
  if (request.config.wire.barcodeResultOnly) return new Reply(200, result)
  // unknown fields are not repeated
  const sent = Object.fromEntries(Object.entries(request.raw).filter(([name]) => Object.hasOwn(request.body, name)))
  const conflicting = Object.entries(result).filter(([name]) => Object.hasOwn(sent, name))
  const nested = conflicting.length > 0 ? { [nestedKey]: Object.fromEntries(conflicting) } : {}
  return new Reply(status, { ...result, ...nested, ...sent })
}

/**
 * Creates a 400 with `error`, and its context. For existing clients every value in it is a string (docs/configuration.md#wire-form).
 * @param context further fields in addition to the error
 */
export const createScanProblem = (
  services: Pick<Services, 'config'>,
  error: ErrorMessage,
  context: Record<string, unknown> = {},
): Problem => new Problem('invalid', { error }).with({ body: toWireBody(services, { ...context, error: error.message }) })

/** Creates a 403 with `error`. */
export const createForbiddenProblem = (_services: Pick<Services, 'config'>, kind: string): Problem =>
  new Problem('permission_denied', { error: barcodeErrors.barcode_access_denied({ kind }) })

const toWireBody = ({ config }: Pick<Services, 'config'>, body: unknown): unknown =>
  config.wire.barcodeErrorTexts ? toStrings(body) : body

/** Converts the values of an error to strings, as existing clients receive them: `"48"`, `"None"`, `"True"`. */
function toStrings(value: unknown): unknown {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return value.map(toStrings)
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, toStrings(entry)]))
  return String(value)
}

/** Fields of every scan's response. */
export const toScanFields = ({ plugin, text, hash }: Scan) => ({ plugin, barcode_data: text, barcode_hash: hash })

/** Label data of a supplier's code that matches nothing: clients create the supplier part from it. */
export const toLabelFields = ({ labels }: Pick<Scan, 'labels'>) =>
  labels.length > 0 ? { labels: labels.map(({ plugin, label }) => ({ plugin, ...label })) } : {}

/** Returns the key and the URLs of an object that was found. */
export function getObjectUrls({ kind, pk }: Found): { pk: number; api_url: string; web_url?: string } {
  const kindOfObject = findKind(kind)
  if (!kindOfObject) throw new Error(`there is no kind ${kind}`)
  const { path } = kindOfObject.resource
  const web_url = getWebPage(path, pk)
  return { pk, api_url: `${path}${pk}/`, ...(web_url && { web_url }) }
}

/**
 * Returns the object under its kind; in the default form with the object as GET shows it.
 * @param options.through reads it: the transaction during a write
 * @param options.body the object as JSON, if it was already read
 */
export async function describeMatch(
  request: ScanContext,
  result: Found,
  { through: executor = request.database, body }: { through?: Pick<Tx, 'queryAsText'>; body?: string } = {},
): Promise<Record<string, unknown>> {
  const { kind, pk } = result
  const { wire } = request.config
  if (wire.barcodeResultOnly && !wire.scansShowObjects) return { [kind]: getObjectUrls(result) }
  const resource = findKind(kind)?.resource
  if (!resource) throw new Error(`there is no kind ${kind}`)
  const reader = { caller: request.caller, services: request, executor }
  const readBody = async () => (await readDetail(resource, pk, readDetailFlags(resource, {}, wire), reader)).body
  const instance = wire.scansShowObjects ? await readBody() : (body ?? (await readBody()))
  return { [kind]: { ...getObjectUrls(result), instance: new JsonText(instance) } }
}

/**
 * Response for a code that may stand for several objects, which it names: existing clients receive it with a success status.
 * @throws Problem 400 in the default form (docs/configuration.md#wire-form)
 */
export function replyToSeveralMatches(request: ScanningRequest, scan: Scan, success: string): Reply {
  const { candidates = [], error = barcodeErrors.supplier_part_ambiguous } = scan
  if (request.config.wire.barcodeSeveralMatches) return new Reply(200, { error, ...toScanFields(scan), success })
  const candidateObjects = candidates.map((result) => ({ kind: result.kind, ...getObjectUrls(result) }))
  throw createScanProblem(request, error, { candidates: candidateObjects, ...toScanFields(scan), ...toLabelFields(scan) })
}
