// Over 400 lines: every kind of value that a body can hold, each with its schema and its reader.
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type TSchema, Type } from 'typebox'
import type { Caller } from '../request/caller.ts'
import {
  type ErrorEntry,
  type Errors,
  FieldError,
  invalidChoice,
  referenceExpected,
  unknownReference,
} from '../request/errors.ts'
import type { Services } from '../services/services.ts'
import type { Upload } from '../services/uploads.ts'
import type { Expression } from '../sql/sql.ts'
import type { Tx } from '../sql/tx.ts'
import { type Decimal, parseDecimal } from '../values/decimal.ts'
import { containsHtml } from '../values/html.ts'
import { ExactNumber } from '../values/json.ts'
import type { ErrorMessage } from '../values/message.ts'
import { valueErrors } from '../values/value-errors.ts'

/** Metadata of a value for OPTIONS, beyond the schema. */
export type Options = Record<string, unknown> & { type: string }

/** A reference found while reading a body: it is looked up, together with all others, once the body has been read. */
export type PendingReference = {
  table: PgTable
  only?: ReferenceRestriction
  pk: number
  /** The field it was read for. */
  name?: string
  /** Columns of the object that the rules of the write need. */
  extraColumns?: readonly string[]
  /** Records the error at the position of the reference in the body. */
  fail: (entry: ErrorEntry) => void
}

/** The objects of a table that may be referenced, as an expression over it; and the error for other existing objects. */
export type ReferenceRestriction = { where: Expression; error: ErrorMessage }

/** Data of the objects that a body refers to, by field: the columns that rules need. */
export type ReferredColumns = Record<string, Record<string, unknown>>

/**
 * Collects references and checks that need the database while a body is read; they record their errors at the position of the value.
 * `services` are for defaults that depend on a setting.
 */
export type Reading = {
  references: PendingReference[]
  checks?: ((tx: Tx) => Promise<void>)[]
  services: Services
  /** The row that an update changes. */
  before?: Readonly<Record<string, unknown>>
}

/** A request whose files are uploaded, before its transaction begins. */
export type UploadContext = {
  services: Services
  caller: Caller | undefined
  /** All uploads of the request so far. */
  uploads: Upload[]
  /** The body of the request, not yet read. */
  body: Readonly<Record<string, unknown>>
  /** The current value of a column of the object to be changed; undefined for a new one. */
  current(column: PgColumn): Promise<unknown>
}

/** The error of a value that was rejected before the body was read; it replaces the value. */
export class RejectedValue {
  readonly error: FieldError

  constructor(error: FieldError) {
    this.error = error
  }
}

/**
 * Reader of one value of a body. Inputs are built by the functions below and used both by resources, whose columns choose them, and by the
 * bodies of actions.
 */
export type Input<Value = unknown> = {
  /** The published schema; its limits are the ones that are checked. */
  schema: TSchema
  options: Options
  /** Absence is an error on POST and PUT; if there is a default, only on a PUT that does not apply it. */
  required: boolean
  nullable: boolean
  /** Whether an empty string is a value of its own. */
  blank?: boolean
  /** The heading that forms show; without one, the field's name in words. */
  label?: string
  /** One sentence about the meaning of the value, with its unit, for OPTIONS and the OpenAPI document. */
  help?: string
  api530?: InputChanges
  /** The value if the field is absent. */
  default?: Default<Value>
  /** An empty string means null, as existing clients expect: for references, and for dates and numbers that may be null. */
  emptyIsNull?: boolean
  /** The fields of an object; the entries of a list. */
  shape?: Shape
  item?: Input<any>
  /**
   * Set for a file, which multipart bodies may hold as such: its folder; its column, if it is stored; and the columns for its original name,
   * its size in bytes, and whether it is a picture.
   */
  file?: { column?: PgColumn; folder: string; name?: PgColumn; size?: PgColumn; picture?: PgColumn; isPicture?: boolean }
  /** The column, belonging to another field, that the value is stored in. */
  targetColumn?: PgColumn
  /** Stores the file of a value before the transaction begins. Returns the value to read. Throws FieldError. */
  prepareUpload?(value: unknown, context: UploadContext): Promise<unknown>
  /** Reads a value that is present and not null. Throws FieldError. `fail` is for errors found later. */
  read(value: unknown, reading: Reading, fail: (entry: ErrorEntry) => void): Value
}

/** How a value of a body differs for clients of API 530 (docs/configuration.md#api-version). */
export type InputChanges = {
  /** Metadata in OPTIONS (`changedMetadata`). */
  metadata?: Api530Metadata
  /** The same, as far as it depends on what is stored. */
  describe?: (services: Services) => Promise<Api530Metadata>
}

/** Metadata of a field in API 530 that differs from that in API 196, by the names in OPTIONS. */
export type Api530Metadata = Readonly<{
  label?: string
  type?: string
  required?: boolean
  read_only?: boolean
  max_length?: number
  default?: unknown
  model?: string
  api_url?: string
  choices?: readonly { value: string | number; display_name: string }[]
}>

export type ValueOf<I> = I extends Input<infer Value> ? Value : never

/** A default: a value, or a function that is called for each request, since settings may change. */
export type Default<Value> = Value | ((services: Services) => Value)

/** The current value of a default. */
export const resolveDefault = <Value>(rawValue: Default<Value>, services: Services): Value =>
  typeof rawValue === 'function' ? (rawValue as (services: Services) => Value)(services) : rawValue

type Common<Value> = {
  required?: boolean
  nullable?: boolean
  default?: Default<Value>
  label?: string
  help?: string
  api530?: InputChanges
}

/** The same schema, or null; a schema for any value allows null already. */
export const orNull = (schema: TSchema): TSchema => (Type.IsAny(schema) ? schema : Type.Union([schema, Type.Null()]))

const createInput = <Value>(
  common: Common<Value>,
  rest: Pick<Input<Value>, 'schema' | 'options' | 'read'> & Partial<Input<Value>>,
): Input<Value> => ({
  required: common.required ?? false,
  nullable: common.nullable ?? false,
  default: common.default,
  label: common.label,
  help: common.help,
  api530: common.api530,
  ...rest,
  schema: common.nullable ? orNull(rest.schema) : rest.schema,
  // a number that a double would change is read by its digits, like one sent as a string
  read: (value, reading, fail) => rest.read(value instanceof ExactNumber ? String(value) : value, reading, fail),
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const CONTROL_CHARACTERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
const LINE_BREAKS = /[\t\n\r]+/g

type TextOptions = Common<string> & {
  max?: number
  blank?: boolean
  multiline?: boolean
  check?: (text: string) => ErrorMessage | undefined
  type?: string
}

/**
 * Plain text: trimmed, without control characters (and without line breaks, unless it is `multiline`, which is Markdown). HTML tags are
 * rejected. Numbers are accepted and read as strings, as existing clients send them.
 */
export function text(options: TextOptions = {}): Input<string> {
  const { max, blank = !options.required, multiline = false, check, type = 'string' } = options
  const schema = Type.String({
    ...(max ? { maxLength: max } : {}),
    ...(blank ? {} : { minLength: 1 }),
    ...(type === 'email' ? { format: 'email' } : {}),
  })
  return createInput(options, {
    schema,
    options: { type, ...(max ? { max_length: max } : {}) },
    blank,
    read(value) {
      if (typeof value !== 'string' && typeof value !== 'number') throw new FieldError(valueErrors.text_expected)
      if (!String(value).isWellFormed()) throw new FieldError(valueErrors.text_expected)
      let result = String(value).replaceAll(CONTROL_CHARACTERS, '')
      if (!multiline) result = result.replaceAll(LINE_BREAKS, '')
      result = result.trim()
      if (result === '' && !blank) throw new FieldError(valueErrors.blank_not_allowed)
      if (max && [...result].length > max) throw new FieldError(valueErrors.max_length({ max_length: max }))
      if (containsHtml(result)) throw new FieldError(valueErrors.html_not_allowed)
      const problem = result === '' ? undefined : check?.(result)
      if (problem) throw new FieldError(problem)
      return result
    },
  })
}

/**
 * A password, code or key: leading and trailing blanks are removed, everything else stays unchanged. It is never shown, neither in OPTIONS
 * nor in the OpenAPI document.
 */
export const secret = (options: Common<string> & { max?: number; blank?: boolean } = {}): Input<string> => {
  const { max = 4096, blank = false } = options
  return createInput(options, {
    schema: Type.String({ maxLength: max, writeOnly: true, ...(blank ? {} : { minLength: 1 }) }),
    options: { type: 'string', max_length: max },
    blank,
    read(value) {
      if (typeof value !== 'string' && typeof value !== 'number') throw new FieldError(valueErrors.text_expected)
      const result = String(value).trim()
      if (result === '' && !blank) throw new FieldError(valueErrors.blank_not_allowed)
      if ([...result].length > max) throw new FieldError(valueErrors.max_length({ max_length: max }))
      return result
    },
  })
}

const EMAIL = /^[^\s@<>"(),:;\\[\]]+@[^\s@.<>"(),:;\\[\]]+(\.[^\s@.<>"(),:;\\[\]]+)+$/

/** Whether a string has the form of an email address. */
export const isEmail = (value: string): boolean => value.length <= 254 && EMAIL.test(value)

export const email = (options: TextOptions = {}): Input<string> =>
  text({ max: 254, ...options, type: 'email', check: (value) => (EMAIL.test(value) ? undefined : valueErrors.invalid_email) })

const SCHEMES = new Set(['http:', 'https:', 'ftp:', 'ftps:'])

/** Whether a string is a URL with a host and one of the schemes http, https, ftp and ftps. */
export function isUrl(value: string): boolean {
  if (/\s/.test(value) || !/^[a-z]+:\/\/[^/]/i.test(value)) return false
  const parsed = URL.parse(value)
  return (
    parsed !== null &&
    SCHEMES.has(parsed.protocol) &&
    (parsed.hostname === 'localhost' || parsed.hostname.includes('.') || parsed.hostname.startsWith('['))
  )
}

/** A URL. The scheme may be missing if a global setting allows links that are not strict. */
export function url(options: TextOptions = {}): Input<string> {
  const kind = text({ max: 200, ...options, type: 'url' })
  return {
    ...kind,
    read(value, reading, fail) {
      const enteredUrl = kind.read(value, reading, fail)
      const lenient = reading.services.settings.get('INVENTREE_STRICT_URLS') === false
      const fullUrl = lenient && !enteredUrl.includes('://') ? `http://${enteredUrl}` : enteredUrl
      if (enteredUrl !== '' && !isUrl(fullUrl)) throw new FieldError(valueErrors.invalid_url)
      return enteredUrl
    },
  }
}

const INT_MAX = 2_147_483_647

/** A whole number that fits 32 bits. A numeric string is accepted, too. */
export function integer(options: Common<number> & { min?: number; max?: number } = {}): Input<number> {
  const { min = -INT_MAX - 1, max = INT_MAX } = options
  return createInput(options, {
    schema: Type.Integer({ minimum: min, maximum: max }),
    options: { type: 'integer', min_value: min, max_value: max },
    emptyIsNull: options.nullable,
    read(value) {
      const number = typeof value === 'string' && /^\s*[+-]?\d{1,20}(\.0+)?\s*$/.test(value) ? Number(value) : value
      if (typeof number !== 'number' || !Number.isInteger(number)) throw new FieldError(valueErrors.integer_expected)
      if (number < min) throw new FieldError(valueErrors.min_value({ min_value: min }))
      if (number > max) throw new FieldError(valueErrors.max_value({ max_value: max }))
      return number
    },
  })
}

type DecimalOptions = Common<string> & {
  /** Digits in total, and decimals. */
  digits: number
  places: number
  min?: number
  max?: number
  /** Rounds values with more decimals instead of rejecting them. */
  round?: boolean | ((services: Services) => boolean)
  /** The wire form: a number for quantities, a decimal string for money. */
  form: 'number' | 'text'
}

/** An exact decimal, which stays a string from the body to the database. */
export function decimal(options: DecimalOptions): Input<string> {
  const { digits, places, min, max, round, form } = options
  const pattern = `^-?\\d{0,${digits - places}}(?:\\.\\d{0,${places}})?$`
  const patternRegex = new RegExp(pattern)
  const limits = { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) }
  const schema = form === 'number' ? Type.Number(limits) : Type.String({ format: 'decimal', pattern })
  return createInput(options, {
    schema,
    options: {
      type: form === 'number' ? 'float' : 'decimal',
      ...(min === undefined ? {} : { min_value: min }),
      ...(max === undefined ? {} : { max_value: max }),
    },
    emptyIsNull: options.nullable,
    read(value, { services }) {
      const shouldRound = typeof round === 'function' ? round(services) : (round ?? false)
      let parsed = parseDecimal(value, { maxDigits: digits, decimalPlaces: places, round: shouldRound })
      // a tiny quantity is not rounded to zero, which would mean something else
      if (form === 'number' && parsed === '0' && isNonZero(value))
        parsed = parseDecimal(value, { maxDigits: digits, decimalPlaces: places })
      if (typeof parsed === 'object' && 'problem' in parsed) throw new FieldError(parsed.problem)
      // if money is not rounded for existing clients, notations outside its pattern are rejected as well
      if (form === 'text' && !shouldRound && typeof value === 'string' && !patternRegex.test(value.trim()))
        throw new FieldError(valueErrors.number_expected)
      // compares the original value, too: a value below the minimum by less than the precision is below it
      if (min !== undefined && (Number(parsed) < min || Number(value) < min))
        throw new FieldError(valueErrors.min_value({ min_value: min }))
      if (max !== undefined && (Number(parsed) > max || Number(value) > max))
        throw new FieldError(valueErrors.max_value({ max_value: max }))
      return parsed as Decimal
    },
  })
}

/** Whether a number, or a string with a number, is not zero, however small it is. */
const isNonZero = (value: unknown): boolean => /[1-9]/.test(String(value).split(/e/i, 1)[0] as string)

/** A quantity: base units or packs, as its field says; up to 5 decimals, more are rounded, unless `round` is false or the result would be zero. */
export const quantity = (options: Common<string> & { min?: number; round?: boolean } = {}): Input<string> => {
  const kind = decimal({ min: 0, round: true, ...options, digits: 15, places: 5, form: 'number' })
  // existing clients expect this type for quantities in the bodies of actions
  return { ...kind, options: { ...kind.options, type: 'decimal' } }
}

const TRUE = new Set<unknown>([true, 1, '1', 't', 'true', 'y', 'yes', 'on'])
const FALSE = new Set<unknown>([false, 0, '0', 'f', 'false', 'n', 'no', 'off'])

export const boolean = (options: Common<boolean> = {}): Input<boolean> =>
  createInput(options, {
    schema: Type.Boolean(typeof options.default === 'boolean' ? { default: options.default } : {}),
    options: { type: 'boolean' },
    read(value) {
      const normalized = typeof value === 'string' ? value.toLowerCase() : value
      if (TRUE.has(normalized)) return true
      if (FALSE.has(normalized)) return false
      throw new FieldError(valueErrors.boolean_expected)
    },
  })

/** A calendar day, `YYYY-MM-DD`. */
export const date = (options: Common<string> = {}): Input<string> =>
  createInput(options, {
    schema: Type.String({ format: 'date' }),
    options: { type: 'date' },
    emptyIsNull: options.nullable,
    read(value) {
      if (typeof value !== 'string' || !isDate(value)) throw new FieldError(valueErrors.date_expected)
      return value
    },
  })

export function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || value.startsWith('0000')) return false
  const parsed = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value)
}

/** A timestamp in ISO 8601; without an offset it is UTC, without a time the beginning of the day. */
export const datetime = (options: Common<string> = {}): Input<string> =>
  createInput(options, {
    schema: Type.String({ format: 'date-time' }),
    options: { type: 'datetime' },
    emptyIsNull: options.nullable,
    read(value) {
      const match =
        typeof value === 'string' &&
        /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/.exec(value)
      const parsed =
        match && isDate(match[1] as string) ? new Date(`${match[1]}T${match[2] ?? '00:00'}${match[3] ?? 'Z'}`) : undefined
      if (!parsed || Number.isNaN(parsed.getTime())) throw new FieldError(valueErrors.datetime_expected)
      return parsed.toISOString()
    },
  })

export type Choice = { value: string | number; label: string }

/** One of a fixed set of values. */
export function choice<Value extends string | number>(
  choices: () => readonly Choice[],
  options: Common<Value> & { blank?: boolean } = {},
): Input<Value> {
  const values = choices()
  const numeric = typeof values[0]?.value === 'number'
  const allowed = options.blank ? ['', ...values.map((entry) => entry.value)] : values.map((entry) => entry.value)
  return createInput<Value>(options, {
    schema: numeric ? Type.Integer({ enum: allowed as number[] }) : Type.String({ enum: allowed as string[] }),
    options: {
      type: 'choice',
      choices: [...(options.blank ? [{ value: '', label: '---------' }] : []), ...values].map(({ value, label }) => ({
        value,
        display_name: label,
      })),
    },
    blank: options.blank,
    read(value) {
      if (value === '' && !options.blank) throw new FieldError(invalidChoice(value))
      const normalized = numeric && typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
      if (!(typeof normalized === 'string' || typeof normalized === 'number') || !(allowed as unknown[]).includes(normalized))
        throw new FieldError(invalidChoice(value))
      return normalized as Value
    },
  })
}

type ReferenceOptions = Common<number> & {
  /** Restricts the objects that may be referenced. */
  only?: ReferenceRestriction
  options?: Record<string, unknown>
  /** Columns of the object that the rules of the write need. */
  extraColumns?: readonly string[]
  /** With `false`, an empty string is rejected instead of meaning null. */
  emptyIsNull?: boolean
}

/** The primary key of another object, which must exist. */
export function reference(table: () => PgTable, options: ReferenceOptions = {}): Input<number> {
  return createInput(options, {
    schema: Type.Integer(),
    options: { type: 'related field', ...options.options },
    emptyIsNull: options.emptyIsNull ?? true,
    read(value, reading, fail) {
      const pk = typeof value === 'string' && /^\d{1,20}$/.test(value) ? Number(value) : value
      if (typeof pk !== 'number' || !Number.isInteger(pk)) throw new FieldError(referenceExpected(value))
      if (pk < 1 || pk > INT_MAX) throw new FieldError(unknownReference(value))
      reading.references.push({ table: table(), only: options.only, extraColumns: options.extraColumns, pk, fail })
      return pk
    },
  })
}

const MAX_JSON_DEPTH = 64

/** Characters that PostgreSQL cannot store in JSON: U+0000, and half of a surrogate pair. A backslash that is itself escaped begins neither. */
const UNSTORABLE_CHARACTERS = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function measureDepth(value: unknown): number {
  let level: unknown[] = [value]
  for (let index = 0; ; index++) {
    level = level.flatMap((entry) => (entry !== null && typeof entry === 'object' ? Object.values(entry) : []))
    if (!level.length) return index
    if (index > MAX_JSON_DEPTH) return index
  }
}

/** Any JSON value, nested at most 64 levels deep; a string for a json column, with all digits of its numbers. */
export function json(options: Common<string> = {}): Input<string> {
  const read = (value: unknown) => {
    if (measureDepth(value) > MAX_JSON_DEPTH) throw new FieldError(valueErrors.max_depth({ max_depth: MAX_JSON_DEPTH }))
    const result = JSON.stringify(value)
    if (UNSTORABLE_CHARACTERS.test(result)) throw new FieldError(valueErrors.text_expected)
    return result
  }
  return { ...createInput(options, { schema: Type.Any(), options: { type: 'field' }, read }), read }
}

/** A list of values of one kind. Errors show their position: an object of errors for each entry, `{}` if it is valid. */
export function list<Value>(item: Input<Value>, options: Common<Value[]> & { max?: number } = {}): Input<Value[]> {
  return createInput(options, {
    schema: Type.Array(item.schema, options.max ? { maxItems: options.max } : {}),
    options: { type: 'field' },
    item,
    read(value, reading, fail) {
      const isOfObjects = item.shape !== undefined
      const referenceError = (message: ErrorMessage) => new FieldError(isOfObjects ? toObjectErrors([message]) : message)
      if (!Array.isArray(value)) throw referenceError(valueErrors.list_expected)
      if (options.max && value.length > options.max) throw referenceError(valueErrors.max_items({ max_items: options.max }))
      const entries: (ErrorEntry | undefined)[] = value.map(() => undefined)
      const result = value.map((entry, index) => {
        try {
          if (entry === null && item.nullable) return null as Value
          if (entry === null) throw referenceError(valueErrors.null_not_allowed)
          return item.read(entry, reading, (laterError) => {
            entries[index] = laterError
            fail(mergeEntryErrors(entries))
          })
        } catch (error) {
          if (!(error instanceof FieldError)) throw error
          entries[index] = error.entry
          return undefined as Value
        }
      })
      if (entries.some((entry) => entry !== undefined)) throw new FieldError(mergeEntryErrors(entries))
      return result
    },
  })
}

/** The errors of a list from those of its entries: one list of messages if no entry has errors by field, otherwise an object for each entry. */
function mergeEntryErrors(entries: readonly (ErrorEntry | undefined)[]): ErrorEntry {
  if (entries.every((entry) => entry === undefined || Array.isArray(entry)))
    return entries.flatMap((entry) => (entry as ErrorMessage[]) ?? [])
  return entries.map((entry) =>
    entry === undefined ? {} : Array.isArray(entry) ? toObjectErrors(entry as ErrorMessage[]) : (entry as Errors),
  )
}

/** Errors of an object, or of a list of objects, that belong to none of its fields. */
const toObjectErrors = (entry: readonly ErrorMessage[]): Errors => ({ non_field_errors: entry })

/** A list of short strings without duplicates, such as tags. An empty string is an empty list. */
export function textList(options: Common<string[]> = {}): Input<string[]> {
  const texts = list(text({ max: 100, required: true }), { ...options, max: 100 })
  return {
    ...texts,
    options: { type: 'list' },
    read: (value, reading, fail) => (value === '' ? [] : [...new Set(texts.read(value, reading, fail))]),
  }
}

export type Shape = Record<string, Input<unknown>>
export type ValuesOf<S extends Shape> = { [K in keyof S]: ValueOf<S[K]> }

/** The same value, or null. */
export const nullable = <Value>(input: Input<Value>): Input<Value | null> =>
  ({ ...input, nullable: true, schema: orNull(input.schema) }) as Input<Value | null>

/** The same value, but optional: if it is absent, it is `undefined`. */
export const optional = <Value>(input: Input<Value>): Input<Value | undefined> =>
  ({ ...input, required: false }) as Input<Value | undefined>

/** An object with named fields; `partial` reads only those that are present. */
export function object<S extends Shape>(shape: S, options: Common<Partial<ValuesOf<S>>> = {}): Input<ValuesOf<S>> {
  return createInput(options as Common<ValuesOf<S>>, {
    schema: objectSchema(shape),
    options: { type: 'nested object' },
    shape,
    read(value, reading, fail) {
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        throw new FieldError(toObjectErrors([valueErrors.object_expected]))
      const { values, errors } = readShape(shape, value as Record<string, unknown>, reading, { fail })
      if (Object.keys(errors).length) throw new FieldError(errors)
      return values as ValuesOf<S>
    },
  })
}

export const objectSchema = (shape: Shape): TSchema =>
  Type.Object(
    Object.fromEntries(
      Object.entries(shape).map(([key, input]) => [
        key,
        input.required && input.default === undefined ? withDescription(input) : Type.Optional(withDescription(input)),
      ]),
    ),
  )

/** The schema of a value with its help as its description. It is a copy by property descriptors, as a spread omits some properties of a `Type`. */
export const withDescription = ({ schema, help }: { schema: TSchema; help?: string }): TSchema =>
  help === undefined ? schema : Object.create(null, { ...Object.getOwnPropertyDescriptors(schema), ...createDescription(help) })

const createDescription = (value: string) => ({ description: { value, enumerable: true } })

type ReadOptions = {
  /** PATCH: an absent field stays unchanged. */
  partial?: boolean
  /** Absent fields get their defaults (POST, and PUT that replaces). */
  defaults?: boolean
  fail?: (entry: ErrorEntry) => void
}

/**
 * Reads the fields of a shape from a body. Every field is read, so that all errors are reported together; fields outside the shape are
 * ignored. References are left to `reading`: their errors are added later, to the same `errors`.
 */
export function readShape(shape: Shape, body: Record<string, unknown>, reading: Reading, options: ReadOptions = {}) {
  const { partial = false, defaults = true } = options
  const values: Record<string, unknown> = {}
  const errors: Errors = {}
  for (const [key, input] of Object.entries(shape)) {
    const rawValue = Object.hasOwn(body, key) ? body[key] : undefined
    const fail = (entry: ErrorEntry) => {
      errors[key] = entry
      options.fail?.(errors)
    }
    if (rawValue === undefined) {
      if (partial) continue
      if (input.required && (input.default === undefined || !defaults)) errors[key] = [valueErrors.required]
      else if (defaults && input.default !== undefined) values[key] = resolveDefault(input.default, reading.services)
      continue
    }
    if (rawValue === null || (rawValue === '' && input.emptyIsNull)) {
      if (input.nullable) values[key] = null
      else errors[key] = [valueErrors.null_not_allowed]
      continue
    }
    const earlierReferenceCount = reading.references.length
    try {
      if (rawValue instanceof RejectedValue) throw rawValue.error
      values[key] = input.read(rawValue, reading, fail)
      for (const reference of reading.references.slice(earlierReferenceCount)) reference.name ??= key
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      errors[key] = error.entry
    }
  }
  return { values, errors }
}
