import type { ContextCallName, FromPlugin } from './messages.ts'

/** Maximum depth of a message, and maximum number of its objects and lists: more than any real message has, less than would block its reader. */
const maxDepth = 500
const maxNestedValues = 100_000

/** @returns undefined for an invalid message, which only a plugin that bypasses its own side of the channel sends */
export function readMessage(text: string): FromPlugin | undefined {
  if (isTooNested(text)) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined
  if (prototypeKeyPattern.test(text)) removePrototypes(parsed)
  return validateMessage(parsed)
}

/** Checks the text, because parsing is the slow part. Brackets in strings do not count. */
function isTooNested(text: string): boolean {
  let depth = 0
  let nested = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) inText = !inText
    else if (inText) {
      if (code === 0x5c) i++
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth || ++nested > maxNestedValues) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** The name of the key below, with underscores in any notation. */
const prototypeKeyPattern = /__proto__|\\u005f/i

/** Removes the keys that would change the prototype of an object that they are copied into. */
function removePrototypes(value: object): void {
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__')
  for (const child of Object.values(value)) if (typeof child === 'object' && child !== null) removePrototypes(child)
}

function validateMessage(parsed: { [key: string]: any }): FromPlugin | undefined {
  const { type, id, call, value, message, stack, level, details, what, args } = parsed
  switch (type) {
    case 'ready':
      return { type, manifest: parsed.manifest }
    case 'broken':
      return isText(message) && isText(stack) ? { type, message, stack } : undefined
    case 'done':
      return isId(id) ? { type, id, value } : undefined
    case 'failed':
      return isId(id) && isText(message) && isText(stack) ? { type, id, message, stack } : undefined
    case 'ask':
      return isId(id) && isId(call) && isContextCallName(what) && Array.isArray(args) ? { type, id, call, what, args } : undefined
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
const isContextCallName = (value: unknown): value is ContextCallName =>
  ['setting', 'userSetting', 'read', 'send', 'fetchText', 'runLater'].includes(value as string)
const isLevel = (value: unknown): value is 'info' | 'warn' | 'error' => ['info', 'warn', 'error'].includes(value as string)
