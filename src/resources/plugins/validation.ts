import { StoredFileReference } from '../../kit/definition/file.ts'
import type { Resource, Row, Write } from '../../kit/definition/resource.ts'
import type { Errors } from '../../kit/request/errors.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { ActivePlugin, Services } from '../../kit/services/services.ts'
import { Upload } from '../../kit/services/uploads.ts'
import { isObject } from '../../kit/values/json.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import type { OrderKind } from '../../plugin-api/index.ts'
import { toPlainJson } from '../../plugin-host/call-for.ts'
import { callInWrite, type PendingWrite, PluginThrew, pluginsWithHook } from '../../plugin-host/call-in-write.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'

/** Maximum number of characters of a plugin's error message. */
const MAX_MESSAGE_LENGTH = 1_000

/**
 * Lets plugins validate a value that is being written, one after the other, until one returns an error.
 * @throws Problem 400 in the form of existing clients when one throws, 503 when one does not respond
 */
async function findFirstError<T>(
  writing: PendingWrite,
  plugins: readonly ActivePlugin[],
  args: readonly unknown[],
  read: (pluginResult: unknown) => T | undefined,
): Promise<T | undefined> {
  try {
    for (const plugin of plugins) {
      // each gets its own copy: a built-in plugin could change the value
      const result = await callInWrite(writing, plugin, args.map(copy), read)
      if (result !== undefined) return result
    }
    return undefined
  } catch (error) {
    if (error instanceof PluginThrew) throw invalidObject(pluginErrors.plugin_validation_failed)
    throw error
  }
}

const copy = (value: unknown) => (value === undefined ? undefined : toPlainJson(value))

/** Fields in their stored form: a file is its path. */
const toStoredValues = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isFile(value) ? value.path : value]))

const isFile = (value: unknown): value is Upload | StoredFileReference =>
  value instanceof Upload || value instanceof StoredFileReference

const isBlank = (pluginResult: unknown): pluginResult is null | undefined | '' =>
  pluginResult === undefined || pluginResult === null || pluginResult === ''

function readError(pluginResult: unknown): ErrorMessage | undefined {
  if (isBlank(pluginResult)) return undefined
  if (typeof pluginResult !== 'string') throw new Error('a validation error must be a string')
  return pluginErrors.rejected_by_plugin({ message: pluginResult.slice(0, MAX_MESSAGE_LENGTH) })
}

/** Lets plugins validate new or changed parts, with their previous fields. */
export function createPartValidator(services: Services, part: Resource): ((write: Write) => Promise<void>) | undefined {
  const validators = pluginsWithHook(services, 'validation.part')
  if (validators.length === 0) return undefined
  return async (write) => {
    const { before, values, errors } = write
    if (before && !changesColumns(part, values, before)) return
    Object.assign(errors, await findPartErrors(write, part, values, before))
  }
}

/** Returns the plugins' errors for a part, by field. `before` is its row, if it exists. */
export async function findPartErrors(
  writing: PendingWrite,
  part: Resource,
  values: Record<string, unknown>,
  before: Row | undefined,
): Promise<Errors> {
  const validators = pluginsWithHook(writing, 'validation.part')
  return (
    (await findFirstError(writing, validators, [toStoredValues(values), before && toFieldValues(part, before)], (pluginResult) =>
      readFieldErrors(part, pluginResult),
    )) ?? {}
  )
}

const changesColumns = ({ fields }: Resource, values: Record<string, unknown>, before: Row): boolean =>
  Object.entries(values).some(([name, value]) => {
    const { column } = fields[name] ?? {}
    return column !== undefined && value !== undefined && value !== before[column.name]
  })

/** Fields of an object that are columns of its table. */
const toFieldValues = ({ fields }: Resource, row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { column }]) => (column ? [[name, row[column.name]]] : [])))

function readFieldErrors({ fields }: Resource, pluginResult: unknown): Errors | undefined {
  if (isBlank(pluginResult)) return undefined
  if (!isObject(pluginResult)) throw new Error('validation errors must be strings by field')
  const errors: Errors = {}
  for (const [name, text] of Object.entries(pluginResult)) {
    const error = readError(text)
    const field = Object.hasOwn(fields, name) && fields[name]?.input ? name : 'non_field_errors'
    if (error !== undefined) errors[field] ??= [error]
  }
  return Object.keys(errors).length ? errors : undefined
}

/** Returns a plugin's error for a batch code, which is empty for none; `item` is the stock item as it will be stored. */
export const findBatchCodeError = (writing: PendingWrite, batch: string, item: object): Promise<ErrorMessage | undefined> =>
  findFirstError(writing, pluginsWithHook(writing, 'validation.batchCode'), [batch, item], readError)

/** Returns the first error of a plugin for one of these serial numbers of a part. */
export async function findSerialNumbersError(
  writing: PendingWrite,
  serials: readonly string[],
  part: number,
): Promise<ErrorMessage | undefined> {
  const plugins = pluginsWithHook(writing, 'validation.serialNumber')
  if (plugins.length === 0) return undefined
  for (const serial of serials) {
    const error = await findFirstError(writing, plugins, [serial, part], readError)
    if (error !== undefined) return error
  }
  return undefined
}

/** Returns a plugin's error for the reference of an order. */
export const findReferenceError = (
  writing: PendingWrite,
  kind: OrderKind,
  reference: string,
): Promise<ErrorMessage | undefined> =>
  findFirstError(writing, pluginsWithHook(writing, 'validation.reference'), [kind, reference], readError)

/** Lets plugins validate new references of orders of a type. */
export const createReferenceValidator =
  (kind: OrderKind) =>
  (services: Services): ((write: Write) => Promise<void>) | undefined => {
    if (pluginsWithHook(services, 'validation.reference').length === 0) return undefined
    return async (write) => {
      const { reference } = write.values
      if (typeof reference !== 'string' || reference === write.before?.reference) return
      const error = await findReferenceError(write, kind, reference)
      if (error !== undefined) write.errors.reference = [error]
    }
  }

/** Returns the batch code that a plugin generates for new stock; undefined for none. @throws Problem 503 when one fails */
export const generatePluginBatchCode = (writing: PendingWrite): Promise<string | undefined> =>
  readFirstPluginValue(writing, 'validation.newBatchCode', [], /^\P{Cc}{1,100}$/u)

/**
 * Returns the serial number after another one, empty for none, as a plugin generates it; undefined for none.
 * @throws Problem 503 when one fails
 */
export const generatePluginSerial = (writing: PendingWrite, serial: string, part: number): Promise<string | undefined> =>
  readFirstPluginValue(writing, 'validation.nextSerialNumber', [serial, part], /^[^\s,~\p{Cc}]{1,100}$/u)

async function readFirstPluginValue(
  writing: PendingWrite,
  hook: string,
  args: readonly unknown[],
  pattern: RegExp,
): Promise<string | undefined> {
  for (const plugin of pluginsWithHook(writing, hook)) {
    const result = await callInWrite(writing, plugin, args, (pluginResult) => {
      if (isBlank(pluginResult)) return undefined
      if (typeof pluginResult !== 'string' || !pattern.test(pluginResult)) throw new Error('the returned value is invalid')
      return pluginResult
    })
    if (result !== undefined) return result
  }
  return undefined
}
