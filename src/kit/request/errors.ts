import { QUANTITY_DIGITS } from '../values/decimal.ts'
import { ErrorMessage } from '../values/message.ts'
import { valueErrors } from '../values/value-errors.ts'

/** Messages about one value; or, for a nested object or a list of objects, the errors of its parts. */
export type ErrorEntry = ErrorMessage | readonly ErrorMessage[] | Errors | readonly Errors[]
/** What is wrong with an object: field name to messages. An empty object means nothing is. */
export type Errors = { [field: string]: ErrorEntry }

/** What is wrong with one value; thrown by an input kind, caught by the object around it. */
export class FieldError extends Error {
  readonly entry: readonly ErrorMessage[] | Errors | readonly Errors[]

  constructor(entry: ErrorEntry) {
    super(ErrorMessage.is(entry) ? entry.message : 'invalid value')
    this.entry = ErrorMessage.is(entry) ? [entry] : entry
  }
}

/** A value that a client sent, as far as it is short. `toString` of an object is not called: it may be no function. */
export const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 100)

/** The error of a value that is not among the choices of its field. */
export const invalidChoice = (value: unknown): ErrorMessage => valueErrors.invalid_choice({ value: shown(value) })

/** The error of a key that no object has, or none that may be referred to. */
export const unknownReference = (pk: unknown): ErrorMessage =>
  valueErrors.unknown_reference({ pk: typeof pk === 'number' ? pk : String(pk).slice(0, 100) })

/** The error of what is no key. */
export const referenceExpected = (value: unknown): ErrorMessage =>
  valueErrors.reference_expected({ received: value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value })

/** The error of a quantity that is too large to be stored, or that makes another one so. */
export const TOO_LARGE = valueErrors.result_too_large({ max_whole_digits: QUANTITY_DIGITS })

/** One error of a request, as `application/problem+json` lists them. */
export type FieldErrorJson = { pointer: string; code: string; parameters: Readonly<Record<string, unknown>>; message: string }

/** Keys of an error body under which stands what is wrong with the object, and not with a field of it. */
const WHOLE = new Set(['non_field_errors', 'detail', 'error', 'action_required'])

/**
 * Every message of an error body with the place that it is about, in the order of the body.
 * @param pointer of the body itself
 */
export function messagesIn(body: unknown, pointer = ''): FieldErrorJson[] {
  if (ErrorMessage.is(body)) {
    const { code, parameters, message } = body
    return [{ pointer, code, parameters, message }]
  }
  if (Array.isArray(body))
    return body.flatMap((entry, at) => messagesIn(entry, ErrorMessage.is(entry) ? pointer : `${pointer}/${at}`))
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([name, entry]) =>
    messagesIn(entry, WHOLE.has(name) ? pointer : `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}
