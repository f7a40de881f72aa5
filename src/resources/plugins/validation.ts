import { StoredAddress } from '../../kit/definition/file.ts'
import type { Resource, Row, Write } from '../../kit/definition/resource.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { ActivePlugin, Services } from '../../kit/services/services.ts'
import { Upload } from '../../kit/services/uploads.ts'
import { isObject } from '../../kit/values/json.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { OrderKind } from '../../plugin-api/index.ts'
import { plainJson } from '../../plugin-host/call-for.ts'
import { askInWrite, pluginsWithHook, Threw, type Writing } from '../../plugin-host/call-in-write.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'

/** Maximum number of characters of a plugin's objection. */
const MAX_OBJECTION = 1_000

/**
 * Lets plugins validate a value that is being written, one after the other, until one objects.
 * @throws Problem 400 in the form of existing clients when one throws, 503 when one does not respond
 */
async function firstObjection<T>(
  writing: Writing,
  plugins: readonly ActivePlugin[],
  args: readonly unknown[],
  read: (pluginResult: unknown) => T | undefined,
): Promise<T | undefined> {
  try {
    for (const plugin of plugins) {
      // each gets its own copy: a built-in plugin could change the value
      const result = await askInWrite(writing, plugin, args.map(copy), read)
      if (result !== undefined) return result
    }
    return undefined
  } catch (error) {
    if (error instanceof Threw) throw invalidObject(pluginErrors.plugin_validation_failed)
    throw error
  }
}

const copy = (value: unknown) => (value === undefined ? undefined : plainJson(value))

/** Fields in their stored form: a file is its path. */
const toStoredValues = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isFile(value) ? value.path : value]))

const isFile = (value: unknown): value is Upload | StoredAddress => value instanceof Upload || value instanceof StoredAddress

const isBlank = (pluginResult: unknown): pluginResult is null | undefined | '' =>
  pluginResult === undefined || pluginResult === null || pluginResult === ''

function readObjection(pluginResult: unknown): ErrorMessage | undefined {
  if (isBlank(pluginResult)) return undefined
  if (typeof pluginResult !== 'string') throw new Error('a validation error must be a text')
  return pluginErrors.rejected_by_plugin({ message: pluginResult.slice(0, MAX_OBJECTION) })
}

/** Lets plugins validate new or changed parts, with the fields as they were. */
export function createPartValidator(services: Services, part: Resource): ((write: Write) => Promise<void>) | undefined {
  const validators = pluginsWithHook(services, 'validation.part')
  if (validators.length === 0) return undefined
  return async (write) => {
    const { before, values, errors } = write
    if (before && !changes(part, values, before)) return
    Object.assign(errors, await objectionsToPart(write, part, values, before))
  }
}

/** Returns plugins' objections to a part, by field. `before` is its row, if it exists. */
export async function objectionsToPart(
  writing: Writing,
  part: Resource,
  values: Record<string, unknown>,
  before: Row | undefined,
): Promise<Errors> {
  const validators = pluginsWithHook(writing, 'validation.part')
  return (
    (await firstObjection(writing, validators, [toStoredValues(values), before && fieldsOf(part, before)], (pluginResult) =>
      readObjections(part, pluginResult),
    )) ?? {}
  )
}

const changes = ({ fields }: Resource, values: Record<string, unknown>, before: Row): boolean =>
  Object.entries(values).some(([name, value]) => {
    const { column } = fields[name] ?? {}
    return column !== undefined && value !== undefined && value !== before[column.name]
  })

/** Fields of an object that are columns of its table. */
const fieldsOf = ({ fields }: Resource, row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { column }]) => (column ? [[name, row[column.name]]] : [])))

function readObjections({ fields }: Resource, pluginResult: unknown): Errors | undefined {
  if (isBlank(pluginResult)) return undefined
  if (!isObject(pluginResult)) throw new Error('validation errors must be texts by field')
  const errors: Errors = {}
  for (const [name, text] of Object.entries(pluginResult)) {
    const objection = readObjection(text)
    const field = Object.hasOwn(fields, name) && fields[name]?.input ? name : 'non_field_errors'
    if (objection !== undefined) errors[field] ??= [objection]
  }
  return Object.keys(errors).length ? errors : undefined
}

/** Returns a plugin's objection to a batch code, empty for none; `item` is the stock item as it will be stored. */
export const objectionToBatchCode = (writing: Writing, batch: string, item: object): Promise<ErrorMessage | undefined> =>
  firstObjection(writing, pluginsWithHook(writing, 'validation.batchCode'), [batch, item], readObjection)

/** Returns the first objection of a plugin to one of these serial numbers of a part. */
export async function objectionToSerialNumbers(
  writing: Writing,
  serials: readonly string[],
  part: number,
): Promise<ErrorMessage | undefined> {
  const plugins = pluginsWithHook(writing, 'validation.serialNumber')
  if (plugins.length === 0) return undefined
  for (const serial of serials) {
    const objection = await firstObjection(writing, plugins, [serial, part], readObjection)
    if (objection !== undefined) return objection
  }
  return undefined
}

/** Returns a plugin's objection to the reference of an order. */
export const objectionToReference = (writing: Writing, kind: OrderKind, reference: string): Promise<ErrorMessage | undefined> =>
  firstObjection(writing, pluginsWithHook(writing, 'validation.reference'), [kind, reference], readObjection)

/** Lets plugins validate new references of orders of a type. */
export const createReferenceValidator =
  (kind: OrderKind) =>
  (services: Services): ((write: Write) => Promise<void>) | undefined => {
    if (pluginsWithHook(services, 'validation.reference').length === 0) return undefined
    return async (write) => {
      const { reference } = write.values
      if (typeof reference !== 'string' || reference === write.before?.reference) return
      const objection = await objectionToReference(write, kind, reference)
      if (objection !== undefined) write.errors.reference = [objection]
    }
  }

/** Returns the batch code that a plugin generates for new stock; undefined for none. @throws Problem 503 when one fails */
export const batchCodeOfPlugins = (writing: Writing): Promise<string | undefined> =>
  firstPluginValue(writing, 'validation.newBatchCode', [], /^\P{Cc}{1,100}$/u)

/**
 * Returns the serial number after another one, empty for none, as a plugin generates it; undefined for none.
 * @throws Problem 503 when one fails
 */
export const nextSerialOfPlugins = (writing: Writing, serial: string, part: number): Promise<string | undefined> =>
  firstPluginValue(writing, 'validation.nextSerialNumber', [serial, part], /^[^\s,~\p{Cc}]{1,100}$/u)

async function firstPluginValue(
  writing: Writing,
  hook: string,
  args: readonly unknown[],
  form: RegExp,
): Promise<string | undefined> {
  for (const plugin of pluginsWithHook(writing, hook)) {
    const result = await askInWrite(writing, plugin, args, (pluginResult) => {
      if (isBlank(pluginResult)) return undefined
      if (typeof pluginResult !== 'string' || !form.test(pluginResult)) throw new Error('it is not one')
      return pluginResult
    })
    if (result !== undefined) return result
  }
  return undefined
}
