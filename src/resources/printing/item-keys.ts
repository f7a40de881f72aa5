import type { Query } from '../../kit/definition/filter.ts'
import { readKey } from '../../kit/definition/filter.ts'
import { invalid } from '../../kit/request/problem.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import type { Subject } from './subjects.ts'

/** Names of the query parameter for the objects of a kind of template. The first one that the query has is read. */
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
 * Reads the keys that a query names: repeated, with `[]`, or separated by commas, in their order and each once. Undefined when it has none
 * of the parameters. An invalid key is rejected; with `isLenient` it is ignored.
 * @throws Problem 400
 */
export function readItemKeys(subject: Subject, query: Query, isLenient: boolean): { name: string; pks: number[] } | undefined {
  const name = parameterNames(subject).find((one) => query[one] !== undefined)
  if (name === undefined) return undefined
  const pks = readValues(name, query).flatMap((value) => {
    const pk = readKey(value)
    if (pk === undefined && !isLenient) throw invalid({ [name]: [valueErrors.integer_expected] })
    return pk ?? []
  })
  return { name, pks: [...new Set(pks)] }
}

/** Returns all values of a parameter. For a repeated one the query has the last value under its name, and all values under `name[]`. */
function readValues(name: string, query: Query): string[] {
  const last = query[name] as string
  const all = query[`${name}[]`]
  const text = all?.endsWith(`,${last}`) ? all : last
  return text.split(',').filter((value) => value.trim() !== '')
}
