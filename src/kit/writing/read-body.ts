import { type Reading, readShape, type Shape, type ValuesOf } from '../definition/input.ts'
import { invalid } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import { checkReferences } from './references.ts'

/**
 * Reads a body before a transaction of its own begins; what it refers to is looked up in another.
 * @throws Problem 400 with the errors of all fields
 */
export async function readBodyBy<S extends Shape>(
  services: Services,
  shape: S,
  body: Record<string, unknown>,
  partial = false,
): Promise<ValuesOf<S>> {
  const reading: Reading = { references: [], services }
  const { values, errors } = readShape(shape, body, reading, { partial })
  if (reading.references.length || reading.checks?.length)
    await services.database.transaction((tx) => checkReferences(tx, reading))
  if (Object.keys(errors).length) throw invalid(errors)
  return values as ValuesOf<S>
}
