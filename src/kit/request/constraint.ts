import { type Errors, QUANTITY_TOO_LARGE as TOO_LARGE_ERROR } from './errors.ts'
import { invalid, Problem } from './problem.ts'
import { constraintErrors } from './request-errors.ts'

/** SQLSTATE of a number that is larger than its column. */
const NUMERIC_OUT_OF_RANGE = '22003'

/** Errors of a resource whose sum would exceed what its quantity, or another field, can store. */
export const outOfRangeErrors = (field: string): Record<string, Errors> => ({
  [NUMERIC_OUT_OF_RANGE]: { [field]: [TOO_LARGE_ERROR] },
})

/**
 * Translates a database error for the client, by its SQLSTATE and the name of its constraint, never by its text.
 * @param errorsByName errors of the resource's own constraints by name, and of SQLSTATEs (`outOfRangeErrors`)
 */
export function translateDatabaseError(error: unknown, errorsByName: Record<string, Errors> = {}): unknown {
  if (error instanceof Problem) return error
  const { code, constraint } = error as { code?: string; constraint?: string }
  if (constraint && errorsByName[constraint]) return invalid(errorsByName[constraint])
  if (code && errorsByName[code]) return invalid(errorsByName[code])
  switch (code) {
    case '23505':
      return invalid({ non_field_errors: [constraintErrors.already_exists] })
    case '23503':
      return invalid({ non_field_errors: [constraintErrors.referred_object_gone] })
    case '23514':
      return invalid({ non_field_errors: [constraintErrors.value_out_of_range] })
    case NUMERIC_OUT_OF_RANGE:
      return invalid({ non_field_errors: [constraintErrors.number_too_large] })
    case '22001':
      return invalid({ non_field_errors: [constraintErrors.text_too_long] })
    case '22021':
    case '22P05':
      return invalid({ non_field_errors: [constraintErrors.character_not_storable] })
    case '2201B':
      return invalid({ non_field_errors: [constraintErrors.invalid_expression] })
    case '54001':
      return invalid({ non_field_errors: [constraintErrors.nested_too_deeply] })
    case '55P03':
      return new Problem('conflict')
    case '2200H':
      return new Problem('keys_used_up')
    case '53100':
    case 'ENOSPC':
    case 'EDQUOT':
      return new Problem('insufficient_storage')
    case '25P03':
    case '53200':
    case '53300':
    case '57014':
    case '57P01':
    case '57P02':
    case '57P03':
      return new Problem('unavailable', undefined, { 'retry-after': '2' })
    default:
      return isLostConnection(error) ? new Problem('unavailable', undefined, { 'retry-after': '2' }) : error
  }
}

/** Messages of `pg` for a database that is gone or does not respond; these errors have no code. */
const LOST_CONNECTION_MESSAGE =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/

/**
 * Whether the connection to the database was lost during the request, or could not be opened; it is then unknown whether a write was
 * stored. EAGAIN: too many connections are already waiting for a frozen server.
 */
function isLostConnection(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return /^(ECONN|EPIPE|ENOENT|ETIMEDOUT|EAGAIN|EHOST|ENET|EAI_|ENOTFOUND|08)/.test(code) || LOST_CONNECTION_MESSAGE.test(message)
}
