import { randomUUID } from 'node:crypto'
import { Decimal } from 'decimal.js'

/** Known to the runtime, not yet to TypeScript. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** A number with all its digits, for `JSON.stringify`. */
export const rawNumber = (text: string): unknown => rawJSON(text)

/** A number of a body that binary floating point would change: it stands for its text, and is written as it came. */
export class ExactNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }

  toJSON(): unknown {
    return rawNumber(this.#text)
  }
}

/** Fifteen digits always come back as they were, if the number is neither huge nor tiny: most texts need no closer look. */
const MAY_CHANGE = /[\d.]{16}|\d[eE][+-]?\d{3}/

/** JSON.parse, but that no number is changed: what a double cannot hold is an ExactNumber. */
export function parseJson(text: string): unknown {
  return MAY_CHANGE.test(text) ? JSON.parse(text, keepNumber) : JSON.parse(text)
}

function keepNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || isSame(value, source) ? value : new ExactNumber(source)
}

/** Whether a number is what is written, by its shortest text. A longer text than this is kept without looking. */
function isSame(value: number, source: string): boolean {
  if (!Number.isFinite(value) || source.length > 1_000) return false
  if (value === 0) return !/[1-9]/.test(source.split(/e/i, 1)[0] as string)
  return new Decimal(source).eq(String(value))
}

/** Whether a value out of JSON is an object: no list, no null, no number. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * The key that a value of a body names, which is not read yet, if it may be one. What is no key is refused when it is read; an object says
 * nothing of itself here, as its `toString` may be anything.
 */
export function namedKey(value: unknown): number | null {
  const key = typeof value === 'object' ? Number.NaN : Number(value)
  return Number.isInteger(key) && Math.abs(key) < 2 ** 31 ? key : null
}

/**
 * JSON as a text in which the order of keys, space and the way of writing a number that a double holds make no difference.
 * @throws RangeError for what is nested too deeply
 */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, entry) =>
    isObject(entry) ? Object.fromEntries(Object.entries(entry).toSorted(([one], [other]) => (one < other ? -1 : 1))) : entry,
  )

/** What stands for each text while a value is written: nobody can know it. */
const PLACE = randomUUID()
/** The texts of the value that is being written, in their order. */
let places: string[] | undefined

/** JSON as the database wrote it, in a value that becomes JSON: `writeJson` puts it in as it is, without reading it. */
export class JsonText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): unknown {
    if (!places) return parseJson(this.#text)
    places.push(this.#text)
    return PLACE
  }
}

/** JSON.stringify of a value in which there may be JSON texts. */
export function writeJson(value: unknown): string {
  const texts: string[] = []
  places = texts
  try {
    const parts = JSON.stringify(value).split(`"${PLACE}"`)
    return parts.map((part, at) => (at === 0 ? part : `${texts[at - 1]}${part}`)).join('')
  } finally {
    places = undefined
  }
}
