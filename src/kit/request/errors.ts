import { QUANTITY_DIGITS } from '../values/decimal.ts'
import { ErrorMessage } from '../values/message.ts'
import { valueErrors } from '../values/value-errors.ts'

/** Messages about one value; or, for a nested object or a list of objects, the errors of its parts. */
export type ErrorEntry = ErrorMessage | readonly ErrorMessage[] | Errors | readonly Errors[]
/** The errors of an object: field name to messages. An empty object means that there are none. */
export type Errors = { [field: string]: ErrorEntry }

/** The error of one value; thrown by an input, caught by the object around it. */
export class FieldError extends Error {
  readonly entry: readonly ErrorMessage[] | Errors | readonly Errors[]

  constructor(entry: ErrorEntry) {
    super(ErrorMessage.is(entry) ? entry.message : 'invalid value')
    this.entry = ErrorMessage.is(entry) ? [entry] : entry
  }
}

/** A value that a client sent, shortened. `toString` of an object is not called: it may not be a function. */
export const formatValue = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 100)

/** The error of a value that is not among the choices of its field. */
export const invalidChoice = (value: unknown): ErrorMessage => valueErrors.invalid_choice({ value: formatValue(value) })

/** The error of a key without an object, or whose object may not be referenced. */
export const unknownReference = (pk: unknown): ErrorMessage =>
  valueErrors.unknown_reference({ pk: typeof pk === 'number' ? pk : String(pk).slice(0, 100) })

/** The error of a value that is not a key. */
export const referenceExpected = (value: unknown): ErrorMessage =>
  valueErrors.reference_expected({ received: value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value })

/** The error of a quantity that is too large to be stored, or that makes another one too large. */
export const QUANTITY_TOO_LARGE = valueErrors.result_too_large({ max_whole_digits: QUANTITY_DIGITS })

/** One error of a request, as `application/problem+json` lists them. */
export type FieldErrorJson = { pointer: string; code: string; parameters: Readonly<Record<string, unknown>>; message: string }

/** Keys of an error body for errors of the object as a whole, and not of one of its fields. */
const OBJECT_LEVEL_KEYS = new Set(['non_field_errors', 'detail', 'error', 'action_required'])

/**
 * Every message of an error body with the position that it is about, in the order of the body.
 * @param pointer of the body itself
 */
export function listMessages(body: unknown, pointer = ''): FieldErrorJson[] {
  if (ErrorMessage.is(body)) {
    const { code, parameters, message } = body
    return [{ pointer, code, parameters, message }]
  }
  if (Array.isArray(body))
    return body.flatMap((entry, index) => listMessages(entry, ErrorMessage.is(entry) ? pointer : `${pointer}/${index}`))
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, entry]) =>
    listMessages(entry, OBJECT_LEVEL_KEYS.has(name) ? pointer : `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}
