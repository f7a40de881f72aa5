import type { Context } from 'liquidjs'
import type { Bounds } from '../bounds.ts'
import { SafeHtml } from '../output.ts'
import type { Call, Steps } from './engine.ts'
import { findClosingQuote } from './lexer.ts'
import { getVariable, lookUp } from './resolve-variable.ts'

/** A filter, applied to a value and its one argument. */
export type DjangoFilter = {
  /** Whether it takes an argument; without this it does not. */
  argument?: 'required' | 'optional'
  /** Whether a value that needs no escaping needs none after it either. */
  keepsSafe?: true
  apply(value: unknown, argument: unknown, call: Call & { isSafe: boolean }): unknown
}

export type FilterTable = { find(name: string, offset: number): DjangoFilter | undefined }

/** An expression with a value. */
export type Expression = {
  value(call: Call): Steps
  /** Its value, if it is a literal. */
  literal?: string | number
}

const NUMBER = /[-+]?\.?\d[\d.e]*/y
const PATH = /[\p{L}\w]+(?:\.[\p{L}\w]+)*/uy
const FILTER = /\s*\|\s*(\w+)/y

/** Maximum filters in a chain. */
const MAX_FILTERS = 50

/**
 * Parses `variable.path|filter:argument|filter`.
 * @param offset position in the template
 * @throws Error with a human-readable message when it is not an expression
 */
export function parseExpression(text: string, filters: FilterTable, offset = 0): Expression {
  const [first, end] = parseOperand(text, 0)
  const applied: { filter: DjangoFilter; argument: Expression | undefined }[] = []
  let position = end
  while (position < text.length) {
    FILTER.lastIndex = position
    const [matchText, name] = FILTER.exec(text) ?? []
    if (matchText === undefined || name === undefined) throw new Error(`"${shorten(text.slice(position))}" is not valid here.`)
    if (applied.length === MAX_FILTERS) throw new Error(`More than ${MAX_FILTERS} filters are chained.`)
    const filter = filters.find(name, offset)
    position += matchText.length
    let argument: Expression | undefined
    if (text[position] === ':') [argument, position] = parseOperand(text, position + 1)
    if (!filter) continue
    if (argument && !filter.argument) throw new Error(`The filter "${name}" takes no argument.`)
    if (!argument && filter.argument === 'required') throw new Error(`The filter "${name}" needs an argument.`)
    applied.push({ filter, argument })
  }
  if (applied.length === 0) return first
  return {
    *value(call) {
      let value = yield* first.value(call)
      for (const { filter, argument } of applied) value = yield* applyFilter(filter, value, argument, call)
      return value
    },
  }
}

function* applyFilter(filter: DjangoFilter, value: unknown, argument: Expression | undefined, call: Call): Steps {
  const argumentValue = argument && (yield* argument.value(call))
  const isSafe = value instanceof SafeHtml
  const result = yield* awaitValue(filter.apply(value, argumentValue, { ...call, isSafe }))
  countGrowth(value, result, call)
  return filter.keepsSafe && isSafe && typeof result === 'string' ? new SafeHtml(result) : result
}

/** Counts growth against the limits; most filters make nothing longer. */
function countGrowth(value: unknown, result: unknown, { context }: Call): void {
  const growth = getLength(result) - getLength(value)
  if (growth > 0) (context.memoryLimit as unknown as Bounds).use(growth)
}

function getLength(value: unknown): number {
  if (typeof value === 'string' || Array.isArray(value)) return value.length
  return value instanceof SafeHtml ? value.valueOf().length : 0
}

/** Awaits a value that may be pending. */
export function* awaitValue(value: unknown): Steps {
  return value instanceof Promise ? yield value : value
}

/** Parses the operand of an expression: a quoted string, a number, or a variable. */
function parseOperand(text: string, offset: number): [Expression, end: number] {
  const translated = text.startsWith('_(', offset)
  const begin = translated ? offset + 2 : offset
  const quote = text[begin]
  if (quote === '"' || quote === "'") {
    const closingPosition = findClosingQuote(text, begin)
    if (closingPosition === -1 || (translated && text[closingPosition + 1] !== ')')) throw new Error('A text is not closed.')
    const literal = text.slice(begin + 1, closingPosition).replaceAll(/\\(["'\\])/g, '$1')
    // a literal in a template is not escaped
    const safe = new SafeHtml(literal)
    return [{ value: () => constantSteps(safe), literal }, closingPosition + (translated ? 2 : 1)]
  }
  NUMBER.lastIndex = offset
  const number = NUMBER.exec(text)?.[0]
  if (number !== undefined && Number.isFinite(Number(number)) && !/^[\p{L}_]/u.test(text[offset + number.length] ?? '')) {
    const literal = Number(number)
    return [{ value: () => constantSteps(literal), literal }, offset + number.length]
  }
  PATH.lastIndex = offset
  const path = PATH.exec(text)?.[0]
  if (path === undefined) throw new Error(`"${shorten(text.slice(offset))}" is not a variable, number or text.`)
  return [parseVariable(path), offset + path.length]
}

// biome-ignore lint/correctness/useYield: nothing has to be waited for
function* constantSteps(value: unknown): Steps {
  return value
}

const CONSTANTS: Record<string, unknown> = { True: true, False: false, None: null }

function parseVariable(path: string): Expression {
  if (Object.hasOwn(CONSTANTS, path)) return { value: () => constantSteps(CONSTANTS[path]) }
  const steps = path.split('.')
  const hidden = steps.find((step) => step.startsWith('_'))
  if (hidden) throw new Error(`Variables and their fields cannot start with an underscore: "${shorten(path)}".`)
  if (path === 'block.super') return { value: ({ context }) => renderSuperBlock(context) }
  const [name, ...fields] = steps as [string, ...string[]]
  return {
    *value({ context }) {
      let value = yield* awaitValue(getVariable(context, name))
      for (const field of fields) {
        if (value === undefined || value === null) return undefined
        value = yield* awaitValue(lookUp(value, field, context))
      }
      return value
    },
  }
}

/** Renders the content that the extended template has in this block. */
function* renderSuperBlock(context: Context): Steps {
  return new SafeHtml(String((yield context._get(['block', 'super'])) ?? ''))
}

export const shorten = (text: string): string => text.slice(0, 60)
