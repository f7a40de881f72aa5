import type { Query } from '../../kit/definition/filter.ts'
import { readKey } from '../../kit/definition/filter.ts'
import { invalid } from '../../kit/request/problem.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import type { Subject } from './subjects.ts'

/** Spellings of the parameter for a kind's objects. The first that the query has counts. */
export const parameterNames = ({ item, items }: Pick<Subject, 'item' | 'items'>): string[] => [
  item,
  `${item}[]`,
  items,
  `${items}[]`,
]

/** Parameters by which a print or a list names objects, each with its help. */
export const itemParameters = (subject: Subject, help: string): Record<string, string> =>
  Object.fromEntries(parameterNames(subject).map((name) => [name, help]))

/**
 * Reads the keys that a query names: repeated, with `[]`, or between commas, in their order and each once. Undefined when it names none at
 * all. An invalid key is rejected; with `lenient` it is ignored.
 * @throws Problem 400
 */
export function readItemKeys(subject: Subject, query: Query, lenient: boolean): { name: string; pks: number[] } | undefined {
  const name = parameterNames(subject).find((one) => query[one] !== undefined)
  if (name === undefined) return undefined
  const pks = valuesOf(name, query).flatMap((value) => {
    const pk = readKey(value)
    if (pk === undefined && !lenient) throw invalid({ [name]: [valueErrors.integer_expected] })
    return pk ?? []
  })
  return { name, pks: [...new Set(pks)] }
}

/** Returns all values of a parameter. For a repeated one the query holds the last under its name, and all under `name[]`. */
function valuesOf(name: string, query: Query): string[] {
  const last = query[name] as string
  const all = query[`${name}[]`]
  const text = all?.endsWith(`,${last}`) ? all : last
  return text.split(',').filter((value) => value.trim() !== '')
}
