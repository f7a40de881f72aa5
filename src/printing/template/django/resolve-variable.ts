import type { Context } from 'liquidjs'
import { isObject } from '../../../kit/values/json.ts'
import { getObjectKind } from '../../context/object-kinds.ts'
import { toText as plainText } from '../output.ts'
import { getEngine } from './engine.ts'
import { DERIVED_FIELDS, type Lookup } from './names.ts'
import { exactOf, parseDateValue, toMoney } from './typed.ts'
import { DateValue, Money, Picture } from './values.ts'

type Scopes = { scopes: Record<string, unknown>[]; environments: Record<string, unknown> }

/** Returns the value of a variable: one that the template has set, or one of the printed object. */
export function getVariable(context: Context, name: string): unknown {
  const { scopes, environments } = context as unknown as Scopes
  const scope = scopes.findLast((candidate) => Object.hasOwn(candidate, name))
  if (scope) return scope[name]
  if (name === 'request') return { user: getVariable(context, 'user') }
  if (!Object.hasOwn(environments, name)) return undefined
  const value = environments[name]
  return (name === 'date' || name === 'datetime') && typeof value === 'string' ? (parseDateValue(value) ?? value) : value
}

/** Sets a variable within the current block. */
export function setVariable(context: Context, name: string, value: unknown): void {
  const { scopes } = context as unknown as Scopes
  ;(scopes.at(-1) as Record<string, unknown>)[name] = value
}

export const pushScope = (context: Context, values: Record<string, unknown> = {}): void => {
  context.push(Object.assign(Object.create(null), values))
}

/** Looks up a field, entry or method without arguments, as `value.name` in a template; undefined if there is none. */
export function lookUp(value: unknown, name: string, context: Context): unknown {
  if (value instanceof Picture) return readPictureField(value, name, context)
  if (value instanceof DateValue) return readDateField(value, name)
  if (value instanceof Money) return name === 'amount' ? value.amount : name === 'currency' ? value.currency : undefined
  if (Array.isArray(value)) return readListField(value, name)
  if (isObject(value) || isScope(value)) return readObjectField(value, name, context)
  return value === undefined || value === null ? undefined : readTextField(plainText(value), name)
}

const createLookup = (context: Context): Lookup => ({
  find: (object, field) => lookUp(object, field, context),
  money: (amount, currency) => toMoney(amount, currency, getEngine(context)),
})

/** Objects that a template has set, such as the state of its loops, have no prototype. */
const isScope = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null

function readObjectField(object: Record<string, unknown>, name: string, context: Context): unknown {
  if (Object.hasOwn(object, name)) return readTypedField(object, name, context)
  const detail = `${name}_detail`
  if (Object.hasOwn(object, detail)) return object[detail]
  const [, field] = /^get_(\w+)_display$/.exec(name) ?? []
  if (field !== undefined) return lookUp(object, `${field}_text`, context)
  if (name === 'items') return Object.keys(object).map((key) => [key, object[key]])
  if (name === 'keys') return Object.keys(object)
  if (name === 'values') return Object.keys(object).map((key) => object[key])
  return Object.hasOwn(DERIVED_FIELDS, name) ? DERIVED_FIELDS[name]?.(object as { pk: number }, createLookup(context)) : undefined
}

/** Whether the value is a picture of the object itself; maps with names that users entered, such as parameters, have no primary key. */
const isPicture = (object: Record<string, unknown>, name: string, value: unknown): value is string =>
  (name === 'image' || name === 'thumbnail') &&
  typeof object.pk === 'number' &&
  typeof value === 'string' &&
  value.startsWith('/media/')

/** Returns a field of an object with its type: an amount of a currency, a date, a picture. */
function readTypedField(object: Record<string, unknown>, name: string, context: Context): unknown {
  const value = object[name]
  if (value === null || typeof value === 'object') return value
  // the key of a reference that cannot be followed: the response may have a smaller form of the object
  const detail = object[`${name}_detail`]
  if (typeof value === 'number' && isObject(detail)) return detail
  if (name === 'total_price') return DERIVED_FIELDS.total_price?.(object as { pk: number }, createLookup(context))
  const currency = object[`${name}_currency`]
  if (typeof currency === 'string') return toMoney(value, currency, getEngine(context))
  if (isPicture(object, name, value)) return new Picture(value)
  if (typeof value !== 'string') return value
  const types = getObjectKind(object)?.types
  const type = types && Object.hasOwn(types, name) ? types[name] : undefined
  if (type === 'date' || type === 'datetime') return parseDateValue(value) ?? value
  return type === 'decimal' ? exactOf(value) : value
}

function readPictureField({ path }: Picture, name: string, context: Context): unknown {
  return name === 'url' ? getEngine(context).own.image?.({ pk: 0, image: path }) : undefined
}

const DATE_FIELDS: Record<string, (dateValue: DateValue) => unknown> = {
  year: ({ at }) => at.getUTCFullYear(),
  month: ({ at }) => at.getUTCMonth() + 1,
  day: ({ at }) => at.getUTCDate(),
  hour: ({ at }) => at.getUTCHours(),
  minute: ({ at }) => at.getUTCMinutes(),
  second: ({ at }) => at.getUTCSeconds(),
  date: ({ at }) => new DateValue(at, true),
  isoformat: (dateValue) => dateValue.valueOf(),
  weekday: ({ at }) => (at.getUTCDay() + 6) % 7,
  timestamp: ({ at }) => at.getTime() / 1000,
}

const readDateField = (dateValue: DateValue, name: string): unknown =>
  Object.hasOwn(DATE_FIELDS, name) ? DATE_FIELDS[name]?.(dateValue) : undefined

const LIST_FIELDS: Record<string, (list: readonly unknown[]) => unknown> = {
  all: (list) => list,
  count: (list) => list.length,
  exists: (list) => list.length > 0,
  distinct: (list) => list,
  first: (list) => list[0],
  last: (list) => list.at(-1),
  reverse: (list) => list.toReversed(),
}

function readListField(list: readonly unknown[], name: string): unknown {
  if (/^\d{1,6}$/.test(name)) return list[Number(name)]
  return Object.hasOwn(LIST_FIELDS, name) ? LIST_FIELDS[name]?.(list) : undefined
}

const TEXT_FIELDS: Record<string, (text: string) => unknown> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => text.toLowerCase(),
  strip: (text) => text.trim(),
  title: (text) => text.toLowerCase().replaceAll(/\p{L}+/gu, (word) => (word[0] as string).toUpperCase() + word.slice(1)),
  capitalize: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
  split: (text) => text.split(/\s+/).filter(Boolean),
}

function readTextField(text: string, name: string): unknown {
  if (/^\d{1,6}$/.test(name)) return text[Number(name)]
  if (Object.hasOwn(TEXT_FIELDS, name)) return TEXT_FIELDS[name]?.(text)
  // the types of the fields of nested objects are unknown
  const dateValue = parseDateValue(text)
  return dateValue && readDateField(dateValue, name)
}
