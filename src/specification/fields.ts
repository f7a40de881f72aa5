import { isDeepStrictEqual } from 'node:util'
import { type Body, createEmailAddress, type Fixture } from './test-data.ts'

/** A test value, computed for the body that contains it. */
type ValueFactory = (body: Body, fixture: Fixture) => unknown

/** A field as described in a table of the specification: its values in responses and in bodies. */
export type Field = {
  /** Whether the body of POST and PUT must contain it. */
  required: boolean
  /** Whether it is read-only; a value from a client is ignored. */
  output: boolean
  /** Value in responses when the body omits it. */
  default?: unknown
  /** Whether a client's value is discarded, and responses have the default. */
  isIgnored?: boolean
  /** Whether a value in a response has the JSON type, the format and the length. */
  matches(value: unknown, responseBody: Body): boolean
  /** Valid values, up to the limits. */
  accepts: ValueFactory[]
  /** Invalid values: one past the limits, and other types. */
  rejects: ValueFactory[]
  /** Returns a value that a client could send for an output-only field. */
  junk(actual: unknown): unknown
}

export type Shape = Readonly<Record<string, Field>>

type Options = { required?: boolean; nullable?: boolean; output?: boolean; default?: unknown }

const values = (...all: unknown[]): ValueFactory[] => all.map((value) => () => value)

/** Creates a field that accepts or rejects null depending on the option, in addition to the values of its kind. */
function field({ nullable = false, ...options }: Options, kind: Omit<Field, 'required' | 'output' | 'default'>): Field {
  return {
    required: options.required ?? false,
    output: options.output ?? false,
    ...('default' in options ? { default: options.default } : {}),
    matches: (value, responseBody) => (value === null ? nullable : kind.matches(value, responseBody)),
    accepts: nullable ? [...kind.accepts, ...values(null)] : kind.accepts,
    rejects: nullable ? kind.rejects : [...kind.rejects, ...values(null)],
    junk: kind.junk,
  }
}

type StringOptions = { min?: number; max?: number; generate?: (length: number, body: Body) => string; rejects?: unknown[] }

/** Creates a string of this length. Lengths are counted in characters, not in 16-bit units: each of these characters takes two. */
const createString = (length: number): string => '🔩'.repeat(length)

/**
 * Field of type `string`, with minimum and maximum length. `generate` creates a string of a given length if not every string is valid, and
 * `rejects` overrides the default invalid values, which are not strings.
 */
export function string(options: Options & StringOptions = {}): Field {
  const { min = 0, max = Number.POSITIVE_INFINITY, generate = createString } = options
  const validLengths = [Number.isFinite(max) ? max : Math.max(min, 12), ...(min > 0 ? [min] : [])]
  const invalidLengths = [...(Number.isFinite(max) ? [max + 1] : []), ...(min > 0 ? [min - 1] : [])]
  const withLength = (length: number): ValueFactory => {
    return (body) => generate(length, body)
  }
  return field(options, {
    matches: (value) => typeof value === 'string' && [...value].length >= min && [...value].length <= max,
    accepts: validLengths.map(withLength),
    rejects: [...invalidLengths.map(withLength), ...values(...(options.rejects ?? [{}, [], true]))],
    junk: () => 'sent by a client',
  })
}

/** Field of type `string, e-mail format`. */
export const email = (options: Options & StringOptions = {}): Field => ({
  ...string({
    generate: (length) => createEmailAddress(Math.max(length, 24)),
    rejects: ['no address', {}, [], true],
    ...options,
  }),
  matches: (value) => typeof value === 'string' && /^[^@\s]+@[^@\s]+$/.test(value) && value.length <= (options.max ?? 254),
})

const isUri = (value: unknown): boolean => typeof value === 'string' && /^[a-z][a-z\d+.-]*:/i.test(value) && URL.canParse(value)

/** Field of type `string (URI)`; an optional one may be empty. */
export function uri(options: Options & StringOptions = {}): Field {
  const generate = (length: number) => 'https://example.com/'.padEnd(length, 'x')
  const text = string({ generate, rejects: ['no address', {}, [], true], ...options })
  return {
    ...text,
    matches: (value, responseBody) => text.matches(value, responseBody) && (isUri(value) || (value === '' && !options.required)),
  }
}

const NOT_NUMBERS = ['some', {}, [], true]

/** Field of type `integer`; `createTarget` creates the object that it refers to. */
export function integer(options: Options & { createTarget?: (fixture: Fixture, body: Body) => Promise<number> } = {}): Field {
  const { createTarget } = options
  return field(options, {
    matches: Number.isInteger,
    accepts: createTarget ? [(body, fixture) => createTarget(fixture, body)] : values(1),
    rejects: values(...NOT_NUMBERS, 1.5, ...(createTarget ? [2_147_483_647] : [])),
    junk: () => 987_654_321,
  })
}

/** Field of type `number (double)`. A numeric string is accepted as its number (docs/decisions.md#types-in-bodies). */
export const number = (options: Options & { minimum?: number } = {}): Field =>
  field(options, {
    matches: (value) => typeof value === 'number',
    accepts: values(2.5, '2.5', ...(options.minimum === undefined ? [-2.5, 0] : [options.minimum])),
    rejects: values(...NOT_NUMBERS, ...(options.minimum === undefined ? [] : [options.minimum - 0.00001])),
    junk: () => 987_654.5,
  })

export const boolean = (options: Options = {}): Field =>
  field(options, {
    matches: (value) => typeof value === 'boolean',
    accepts: values(true, false),
    rejects: values('perhaps', {}, [], 2),
    junk: (actual) => !actual,
  })

/** Field of type `decimal string`: up to 13 digits before the point and 6 after it. */
export const decimal = (options: Options = {}): Field =>
  field(options, {
    matches: (value) => typeof value === 'string' && /^-?\d{0,13}(?:\.\d{0,6})?$/.test(value),
    accepts: values('9999999999999.999999', '-9999999999999.999999', '0', '.5', '5.'),
    rejects: values('10000000000000', '-10000000000000', '0.0000001', '1e2', 'NaN', ...NOT_NUMBERS),
    junk: () => '987654.32',
  })

const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && new Date(text).toISOString().startsWith(text)

/** Field of type `date`: ISO 8601. */
export const date = (options: Options = {}): Field =>
  field(options, {
    matches: (value) => typeof value === 'string' && isDate(value),
    accepts: values('2028-02-29', '1999-12-31'),
    rejects: values('2027-02-29', '31.12.1999', '1999-12-31T12:00:00Z', 5, {}, true),
    junk: () => '1999-09-09',
  })

/** Field of type `date-time`: ISO 8601. No body in the specification contains one. */
export const dateTime = (): Field =>
  field(
    { output: true },
    {
      matches: (value) =>
        typeof value === 'string' &&
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value) &&
        isDate(value.slice(0, 10)),
      accepts: [],
      rejects: [],
      junk: () => '1999-09-09T09:09:09Z',
    },
  )

/** Field with an enumeration; `blank` also permits an empty string. */
export function oneOf(allowed: readonly string[], options: Options & { blank?: boolean } = {}): Field {
  const all = options.blank ? [...allowed, ''] : allowed
  return field(options, {
    matches: (value) => all.includes(value as string),
    accepts: values(...all),
    rejects: values('XXX', allowed[0]?.toLowerCase(), {}, [], 5),
    junk: () => allowed[0],
  })
}

/** Any JSON value. */
export const any = (options: Options = {}): Field =>
  field(
    { nullable: true, ...options },
    {
      matches: () => true,
      accepts: values({ nested: [1, 'two', null] }, [1, { two: 2 }], 'text', 0, -1.5, true, false, '', {}, []),
      rejects: [],
      junk: () => ({ sent: 'by a client' }),
    },
  )

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An output-only object; `shape` names its fields where the specification does. */
export const object = (shape: Shape = {}): Field =>
  field(
    { output: true },
    {
      matches: (value) => isObject(value) && Object.entries(shape).every(([name, member]) => member.matches(value[name], value)),
      accepts: [],
      rejects: [],
      junk: () => ({ sent: 'by a client' }),
    },
  )

/** Field with the object of a reference; null when the reference is null. */
export const detailOf = (reference: string): Field => ({
  ...object(),
  matches: (value, responseBody) => (responseBody[reference] === null ? value === null : isObject(value)),
})

/** An output-only array of objects. */
export const arrayOf = (shape: Shape): Field => ({
  ...object(),
  matches: (value) => Array.isArray(value) && value.length > 0 && value.every((entry) => object(shape).matches(entry, entry)),
})

/**
 * Whether a response has the value that was sent: decimals are compared as numbers, and a number may be returned for a numeric string.
 */
export function isSame(sent: unknown, actual: unknown): boolean {
  if (isDeepStrictEqual(sent, actual)) return true
  const isAmount = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && /\d/.test(value))
  return isAmount(sent) && isAmount(actual) && normalizeAmount(sent) === normalizeAmount(actual)
}

/** Removes superfluous zeros from a decimal. */
const normalizeAmount = (value: unknown): string =>
  String(value)
    .replace(/^(-?)\./, '$10.')
    .replace(/(\.\d*?)0*$/, '$1')
    .replace(/\.$/, '')
