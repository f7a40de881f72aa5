import { type Reading, readShape, type Shape, type ValuesOf } from '../definition/input.ts'
import { invalid } from '../request/problem.ts'
import type { Services } from '../services/services.ts'
import type { Tx } from '../sql/tx.ts'
import { checkReferences, lookUpReferences } from './references.ts'

/**
 * Reads a body before its transaction begins; its references are looked up in a separate statement.
 * @throws Problem 400 with the errors of all fields
 */
export async function parseBody<S extends Shape>(
  services: Services,
  shape: S,
  body: Record<string, unknown>,
  partial = false,
): Promise<ValuesOf<S>> {
  const reading: Reading = { references: [], services }
  const { values, errors } = readShape(shape, body, reading, { partial })
  const { references, checks = [] } = reading
  if (checks.length > 0) await services.database.transaction((tx) => checkReferences(tx, reading))
  else await lookUpReferences(services.database, references)
  if (Object.keys(errors).length) throw invalid(errors)
  return values as ValuesOf<S>
}

/**
 * Reads a body inside a transaction.
 * @throws Problem 400 with the errors of all fields
 */
export async function parseBodyWithin<S extends Shape>(
  tx: Tx,
  services: Services,
  shape: S,
  body: Record<string, unknown>,
  partial = false,
): Promise<ValuesOf<S>> {
  const reading: Reading = { references: [], services }
  const { values, errors } = readShape(shape, body, reading, { partial })
  await checkReferences(tx, reading)
  if (Object.keys(errors).length) throw invalid(errors)
  return values as ValuesOf<S>
}
