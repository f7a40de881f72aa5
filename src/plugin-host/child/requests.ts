import type { Json } from '../../plugin-api/index.ts'
import type { ContextCalls } from '../running.ts'
import type { FromPlugin } from './messages.ts'

const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const
const maxPathLength = 4_000
const maxQueryEntries = 100

/**
 * Runs a plugin's call of its context.
 * @throws Error with a message for the plugin if the call is invalid; otherwise the error of the context
 */
export function runPluginRequest({ what, args }: FromPlugin & { type: 'ask' }, calls: ContextCalls): Promise<unknown> {
  const [first, second, third] = args
  switch (what) {
    case 'setting':
      return calls.setting(readText(first, 'the key of a setting'))
    case 'userSetting':
      return calls.userSetting(readText(first, 'the key of a setting'))
    case 'fetchText':
      return calls.fetchText(readText(first, 'a URL', maxPathLength), second as number | undefined)
    case 'runLater':
      return calls.runLater(readText(first, 'the name of an entry of schedule'))
    case 'read':
      return calls.read(readPath(first), readQuery(second))
    case 'send':
      return calls.send(readMethod(first), readPath(second), third as Json)
  }
}

function readText(value: unknown, label: string, maxLength = 100): string {
  if (typeof value === 'string' && value.length <= maxLength) return value
  throw new Error(`${label} must be a text of at most ${maxLength} characters`)
}

function readPath(value: unknown): string {
  const validValue = readText(value, 'a path', maxPathLength)
  if (/^\/(?!\/)/.test(validValue)) return validValue
  throw new Error('a path must start with one /')
}

function readMethod(value: unknown): (typeof methods)[number] {
  const validValue = methods.find((candidate) => candidate === value)
  if (validValue) return validValue
  throw new Error(`a method must be one of ${methods.join(', ')}`)
}

function readQuery(value: unknown): Record<string, string | number | boolean> {
  const entries = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
  if (entries.length <= maxQueryEntries && entries.every(([, item]) => ['string', 'number', 'boolean'].includes(typeof item)))
    return Object.fromEntries(entries)
  throw new Error(`a query must have at most ${maxQueryEntries} texts, numbers, or true and false`)
}
