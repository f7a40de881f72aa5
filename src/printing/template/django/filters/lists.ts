import { isObject } from '../../../../kit/values/json.ts'
import { BoundExceeded, MAX_LIST_ENTRIES } from '../../bounds.ts'
import { escapeHtml, Safe } from '../../output.ts'
import type { Call } from '../engine.ts'
import type { DjangoFilter } from '../expression.ts'
import { lookUp } from '../resolve-variable.ts'
import { compare, entriesOf, isTrue, textOf } from '../values.ts'

/** Joins the entries of a list; each is escaped if needed, and the result is not escaped once more. */
function join(value: unknown, between: unknown, { isEscaping }: Call): unknown {
  const escaped = (part: unknown): string => (isEscaping && !(part instanceof Safe) ? escapeHtml(textOf(part)) : textOf(part))
  return new Safe(entriesOf(value).map(escaped).join(escaped(between)))
}

/** Returns a part of a text or list, written as in Python: `:5`, `-3:`, `1:10:2`. */
function slice(value: unknown, argument: unknown): unknown {
  const list = typeof value === 'string' || value instanceof Safe ? [...textOf(value)] : value
  if (!Array.isArray(list)) return value
  const parts = textOf(argument).split(':')
  if (parts.length > 3 || parts.some((part) => !/^-?\d{0,9}$/.test(part.trim()))) return value
  const numbers = parts.map((part) => (part.trim() === '' ? undefined : Number(part)))
  const [from, to, step = 1] = parts.length === 1 ? [undefined, numbers[0]] : numbers
  const some =
    step > 0 ? list.slice(from, to).filter((_, at) => at % step === 0) : step === -1 && from === to ? list.toReversed() : []
  return list === value ? some : some.join('')
}

/** Sorts by a field, or by an index of nested lists. */
const sorted =
  (direction: 1 | -1): DjangoFilter['apply'] =>
  async (value, argument, { context }) => {
    const list = entriesOf(value)
    if (list.length > MAX_LIST_ENTRIES)
      throw new BoundExceeded(`A list of more than ${MAX_LIST_ENTRIES} entries is too long for this filter.`)
    const path = textOf(argument).split('.')
    if (path.some((step) => step.startsWith('_'))) return ''
    const keyed: { entry: unknown; key: unknown }[] = []
    for (const entry of list) {
      let key: unknown = entry
      for (const step of path) {
        const result = key === undefined || key === null ? undefined : lookUp(key, step, context)
        key = result instanceof Promise ? await result : result
      }
      keyed.push({ entry, key })
    }
    return keyed.toSorted((one, other) => direction * (compare(one.key, other.key) ?? 0)).map(({ entry }) => entry)
  }

const lengthOf = (value: unknown): number => (isObject(value) ? Object.keys(value).length : entriesOf(value).length)

/** Returns an entry of a list, or a character of a text. */
const entry =
  (at: number): DjangoFilter['apply'] =>
  (value) =>
    entriesOf(value).at(at) ?? ''

/** Returns a value of a map by its key. */
const keyValue: DjangoFilter['apply'] = (value, key, { context }) =>
  value === undefined || value === null ? undefined : lookUp(value, textOf(key), context)

export const listFilters: Record<string, DjangoFilter> = {
  join: { argument: 'required', apply: join },
  slice: { argument: 'required', keepsSafe: true, apply: slice },
  length: { apply: (value) => lengthOf(value) },
  length_is: { argument: 'required', apply: (value, length) => compare(lengthOf(value), length) === 0 },
  first: { apply: entry(0) },
  last: { apply: entry(-1) },
  make_list: { apply: (value) => [...textOf(value)] },
  dictsort: { argument: 'required', apply: sorted(1) },
  dictsortreversed: { argument: 'required', apply: sorted(-1) },
  keyvalue: { argument: 'required', apply: keyValue },
  default: { argument: 'required', apply: (value, otherwise) => (isTrue(value) ? value : otherwise) },
  default_if_none: { argument: 'required', apply: (value, otherwise) => (value === null ? otherwise : value) },
}
