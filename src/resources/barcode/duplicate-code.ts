import type { Errors } from '../../kit/request/errors.ts'

/** Constraints of `linked_code`: a hash, and a key, belongs to one object. */
const CONSTRAINTS = ['linked_code_pkey', 'linked_code_key_key']

/** Errors for a code that another object has already, in the form of `translate` and of a resource's constraints. */
export const barcodeConstraints = (errors: Errors): Record<string, Errors> =>
  Object.fromEntries(CONSTRAINTS.map((name) => [name, errors]))

/** Whether the database rejected a code for an object because another has it. */
export const isDuplicateBarcodeError = (error: unknown): boolean =>
  CONSTRAINTS.includes((error as { constraint?: string }).constraint ?? '')
