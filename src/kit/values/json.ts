import { randomUUID } from 'node:crypto'
import { Decimal } from 'decimal.js'

/** Supported by the runtime, not yet by the types of TypeScript. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

/** A number with all its digits, for `JSON.stringify`. */
export const rawNumber = (text: string): unknown => rawJSON(text)

/** A number of a body that binary floating point would change: it keeps its text, and is written unchanged. */
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

/** Up to fifteen digits survive a round trip if the number is neither huge nor tiny: most texts need no closer check. */
const LOSSY_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{3}/

/** JSON.parse that changes no number: a number that a double cannot hold becomes an ExactNumber. */
export function parseJson(text: string): unknown {
  return LOSSY_NUMBER.test(text) ? JSON.parse(text, preserveNumber) : JSON.parse(text)
}

function preserveNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  return typeof value !== 'number' || source === undefined || isLossless(value, source) ? value : new ExactNumber(source)
}

/** Whether a parsed number has the value of its source text. Longer source texts than this are not checked. */
function isLossless(value: number, source: string): boolean {
  if (!Number.isFinite(value) || source.length > 1_000) return false
  if (value === 0) return !/[1-9]/.test(source.split(/e/i, 1)[0] as string)
  return new Decimal(source).eq(String(value))
}

/** Whether a value parsed from JSON is an object: not a list, null or a number. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * The key in a body value that is not validated yet; null if it cannot be one. Validation rejects it later; an object is skipped here, as
 * its `toString` could be anything.
 */
export function parseReferencedKey(value: unknown): number | null {
  const key = typeof value === 'object' ? Number.NaN : Number(value)
  return Number.isInteger(key) && Math.abs(key) < 2 ** 31 ? key : null
}

/**
 * Converts JSON to a string that is independent of key order, whitespace, and the notation of numbers that a double holds.
 * @throws RangeError for JSON that is nested too deeply
 */
export const toCanonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, entry) =>
    isObject(entry) ? Object.fromEntries(Object.entries(entry).toSorted(([left], [right]) => (left < right ? -1 : 1))) : entry,
  )

/** An unguessable placeholder for each JSON string while a value is written. */
const PLACEHOLDER = randomUUID()
/** The JSON strings of the value being written, in order. */
let collectedTexts: string[] | undefined

/** JSON from the database, in a value that becomes JSON: `writeJson` inserts it unchanged, without parsing it. */
export class JsonText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): unknown {
    if (!collectedTexts) return parseJson(this.#text)
    collectedTexts.push(this.#text)
    return PLACEHOLDER
  }
}

/** JSON.stringify for a value that may contain instances of JsonText. */
export function writeJson(value: unknown): string {
  const texts: string[] = []
  collectedTexts = texts
  try {
    const parts = JSON.stringify(value).split(`"${PLACEHOLDER}"`)
    return parts.map((part, index) => (index === 0 ? part : `${texts[index - 1]}${part}`)).join('')
  } finally {
    collectedTexts = undefined
  }
}
