import { isObject } from '../../../../kit/values/json.ts'
import { MAX_LIST_ENTRIES, TemplateLimitExceeded } from '../../bounds.ts'
import { escapeHtml, SafeHtml } from '../../output.ts'
import type { Call } from '../engine.ts'
import type { DjangoFilter } from '../expression.ts'
import { lookUp } from '../resolve-variable.ts'
import { compare, isTrue, listEntries, toText } from '../values.ts'

/** Joins the entries of a list; each is escaped if needed, and the result is not escaped again. */
function join(value: unknown, separator: unknown, { isEscaping }: Call): unknown {
  const escaped = (part: unknown): string => (isEscaping && !(part instanceof SafeHtml) ? escapeHtml(toText(part)) : toText(part))
  return new SafeHtml(listEntries(value).map(escaped).join(escaped(separator)))
}

/** Returns a slice of a string or list, in Python's notation: `:5`, `-3:`, `1:10:2`. */
function slice(value: unknown, argument: unknown): unknown {
  const list = typeof value === 'string' || value instanceof SafeHtml ? [...toText(value)] : value
  if (!Array.isArray(list)) return value
  const parts = toText(argument).split(':')
  if (parts.length > 3 || parts.some((part) => !/^-?\d{0,9}$/.test(part.trim()))) return value
  const numbers = parts.map((part) => (part.trim() === '' ? undefined : Number(part)))
  const [from, to, step = 1] = parts.length === 1 ? [undefined, numbers[0]] : numbers
  const selected =
    step > 0 ? list.slice(from, to).filter((_, index) => index % step === 0) : step === -1 && from === to ? list.toReversed() : []
  return list === value ? selected : selected.join('')
}

/** Sorts by a field, or by an index of nested lists. */
const createSort =
  (direction: 1 | -1): DjangoFilter['apply'] =>
  async (value, argument, { context }) => {
    const list = listEntries(value)
    if (list.length > MAX_LIST_ENTRIES)
      throw new TemplateLimitExceeded(`A list of more than ${MAX_LIST_ENTRIES} entries is too long for this filter.`)
    const path = toText(argument).split('.')
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

const getLength = (value: unknown): number => (isObject(value) ? Object.keys(value).length : listEntries(value).length)

/** Creates a filter that returns an entry of a list, or a character of a string. */
const createEntryFilter =
  (index: number): DjangoFilter['apply'] =>
  (value) =>
    listEntries(value).at(index) ?? ''

/** Returns a value of a map by its key. */
const getKeyValue: DjangoFilter['apply'] = (value, key, { context }) =>
  value === undefined || value === null ? undefined : lookUp(value, toText(key), context)

export const listFilters: Record<string, DjangoFilter> = {
  join: { argument: 'required', apply: join },
  slice: { argument: 'required', keepsSafe: true, apply: slice },
  length: { apply: (value) => getLength(value) },
  length_is: { argument: 'required', apply: (value, length) => compare(getLength(value), length) === 0 },
  first: { apply: createEntryFilter(0) },
  last: { apply: createEntryFilter(-1) },
  make_list: { apply: (value) => [...toText(value)] },
  dictsort: { argument: 'required', apply: createSort(1) },
  dictsortreversed: { argument: 'required', apply: createSort(-1) },
  keyvalue: { argument: 'required', apply: getKeyValue },
  default: { argument: 'required', apply: (value, fallback) => (isTrue(value) ? value : fallback) },
  default_if_none: { argument: 'required', apply: (value, fallback) => (value === null ? fallback : value) },
}
