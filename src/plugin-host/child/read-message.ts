import type { Asked, FromPlugin } from './messages.ts'

/** How deep a message may be nested: more than anyone means, less than what reads it can bear. */
const mostDeep = 500

/** @returns undefined for what is no message of a plugin: only one that goes round the service's own side of the channel sends such */
export function readMessage(text: string): FromPlugin | undefined {
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return undefined
  }
  return isObject(said) && makeTame(said) ? shaped(said) : undefined
}

const isObject = (value: unknown): value is Record<string, any> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Takes out the keys that would change the prototype of what such an object is copied into.
 * @returns false for what is nested too deeply
 */
function makeTame(root: object): boolean {
  let level: object[] = [root]
  for (let depth = 0; level.length; depth++) {
    if (depth === mostDeep) return false
    const next: object[] = []
    for (const value of level) {
      if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
      for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) next.push(child)
    }
    level = next
  }
  return true
}

function shaped(said: Record<string, any>): FromPlugin | undefined {
  const { type, id, call, value, message, stack, level, details, what, args } = said
  switch (type) {
    case 'ready':
      return { type, said: said.said }
    case 'broken':
      return isText(message) && isText(stack) ? { type, message, stack } : undefined
    case 'done':
      return isId(id) ? { type, id, value } : undefined
    case 'failed':
      return isId(id) && isText(message) && isText(stack) ? { type, id, message, stack } : undefined
    case 'ask':
      return isId(id) && isId(call) && isAsked(what) && Array.isArray(args) ? { type, id, call, what, args } : undefined
    case 'log':
      return isId(call) && isLevel(level) && isText(message) ? { type, call, level, message, details } : undefined
    case 'pong':
      return { type }
    default:
      return undefined
  }
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isAsked = (value: unknown): value is Asked => ['setting', 'read', 'send', 'runLater'].includes(value as string)
const isLevel = (value: unknown): value is 'info' | 'warn' | 'error' => ['info', 'warn', 'error'].includes(value as string)
