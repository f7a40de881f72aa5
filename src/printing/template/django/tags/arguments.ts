import type { Call, Steps } from '../engine.ts'
import type { Expression } from '../expression.ts'
import { shorten } from '../expression.ts'
import type { TagParser } from '../node.ts'

/** Valid variable names. */
const NAME = /^[A-Za-z]\w*$/

/** @throws Error for an invalid name */
export function parseVariableName(word: string | undefined): string {
  if (word === undefined || !NAME.test(word)) throw new Error(`"${shorten(word ?? '')}" is not a valid name for a variable.`)
  return word
}

/** Parses a word as `name=value`; undefined for other words. */
export function readNamedArgument(word: string, parser: TagParser): [name: string, value: Expression] | undefined {
  const [prefix, name] = /^([A-Za-z]\w*)=(?=.)/s.exec(word) ?? []
  return prefix === undefined || name === undefined ? undefined : [name, parser.parseExpression(word.slice(prefix.length))]
}

/** Parses words that must all be `name=value`. */
export function readNamedArguments(words: readonly string[], parser: TagParser): Map<string, Expression> {
  const expressions = new Map<string, Expression>()
  for (const word of words) {
    const pair = readNamedArgument(word, parser)
    if (!pair) throw new Error(`"${shorten(word)}" must have the form name=value.`)
    expressions.set(...pair)
  }
  return expressions
}

/** Evaluates named arguments. */
export function* evaluateArguments(expressions: ReadonlyMap<string, Expression>, call: Call): Steps<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, expression] of expressions) values[name] = yield* expression.value(call)
  return values
}

/** Removes `as name` from the end of a tag. */
export function splitName(words: readonly string[]): { words: readonly string[]; name: string | undefined } {
  if (words.length < 2 || words.at(-2) !== 'as') return { words, name: undefined }
  return { words: words.slice(0, -2), name: parseVariableName(words.at(-1)) }
}
