import { rawNumber } from '../../kit/values/json.ts'
import { OperatorError } from '../../operator-error.ts'

/** One record of a dump. */
export type DumpRecord = {
  /** The line of the file on which it begins. */
  line: number
  /** In lower case, such as "stock.stockitem". */
  model: string
  pk: number
  fields: Record<string, unknown>
}

/** A part of the dump that cannot be loaded. `record` is undefined if the file has no record there. */
export type Problem = { line: number; record?: { model: string; pk: number | undefined }; reason: string }

/** A record that breaks a rule that the database cannot check. */
export class InvalidRecord extends Error {}

/**
 * Parses the JSON of a record.
 * @param keepsNumbers whether numbers that JavaScript would write differently, such as 1.10 or one of twenty digits, keep their notation
 * @throws OperatorError when it is not JSON
 */
export function parseRecord(source: string, line: number, keepsNumbers: boolean): unknown {
  try {
    return keepsNumbers ? JSON.parse(source, preserveNumber) : JSON.parse(source)
  } catch (error) {
    const { message } = error as Error
    throw new OperatorError(
      `the dump is damaged: the record that starts on line ${line} is not JSON${findPosition(message, source, line)}`,
    )
  }
}

/** Says where in the file a text is not JSON, from the message of its parser, which knows the position in the text alone. */
function findPosition(message: string, source: string, line: number): string {
  const position = /at position (\d+)/.exec(message)?.[1]
  if (position === undefined) return message.startsWith('Unexpected token') ? `: unexpected ${message.slice(17, 20)}` : ''
  const offset = Number(position)
  const lines = source.slice(0, offset).split('\n')
  return `: unexpected ${JSON.stringify(source.slice(offset, offset + 12))} on line ${line + lines.length - 1}`
}

function preserveNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  const isChanged = typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
  return isChanged ? rawNumber(context.source as string) : value
}

/** The maximum primary key of a record: the next one is the last that the database can assign. */
export const MAX_KEY = 2_147_483_646

/** Whether a value can be a primary key: URLs accept no key below 1, and the maximum leaves room for the next one. */
export const isKey = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_KEY

/** Whether a value is null, an empty string, or an empty object or list. */
export const isEmptyValue = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && /^(\{\}|\[\])$/.test(JSON.stringify(value)))

/** Whether a value has the form of a record. Only records of kinds that are loaded need a whole number as pk. */
export function isRecord(value: unknown): value is { model: string; pk: unknown; fields: Record<string, unknown> } {
  if (typeof value !== 'object' || value === null) return false
  const { model, fields } = value as Record<string, unknown>
  return typeof model === 'string' && typeof fields === 'object' && fields !== null && !Array.isArray(fields)
}

/** The name of a model in lower case, from the name or a list of its parts: dumps have both "part.Part" and ["part", "part"]. */
export const normalizeModelName = (name: unknown): string => (Array.isArray(name) ? name.join('.') : String(name)).toLowerCase()
