import type { Errors } from '../../kit/request/errors.ts'

/** The constraints of `linked_code`: a hash, and a key, is that of one object. */
const CONSTRAINTS = ['linked_code_pkey', 'linked_code_key_key']

/** What is said where another object has the code already, as `translate` and the constraints of a resource take it. */
export const whereCodeIsTaken = (errors: Errors): Record<string, Errors> =>
  Object.fromEntries(CONSTRAINTS.map((name) => [name, errors]))

/** Whether the database refused to give a code to an object, for another has it. */
export const isCodeTaken = (error: unknown): boolean => CONSTRAINTS.includes((error as { constraint?: string }).constraint ?? '')
