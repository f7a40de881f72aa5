import type { Call, Steps } from '../engine.ts'
import type { Expression } from '../expression.ts'
import { shortened } from '../expression.ts'
import type { Reading } from '../node.ts'

/** Valid variable names. */
const NAME = /^[A-Za-z]\w*$/

/** @throws Error for an invalid name */
export function variableName(word: string | undefined): string {
  if (word === undefined || !NAME.test(word)) throw new Error(`"${shortened(word ?? '')}" is not a valid name for a variable.`)
  return word
}

/** Parses a word as `name=value`; undefined for other words. */
export function namedArgument(word: string, parser: Reading): [name: string, value: Expression] | undefined {
  const [whole, name] = /^([A-Za-z]\w*)=(?=.)/s.exec(word) ?? []
  return whole === undefined || name === undefined ? undefined : [name, parser.expression(word.slice(whole.length))]
}

/** Parses words that must all be `name=value`. */
export function namedArguments(words: readonly string[], parser: Reading): Map<string, Expression> {
  const named = new Map<string, Expression>()
  for (const word of words) {
    const pair = namedArgument(word, parser)
    if (!pair) throw new Error(`"${shortened(word)}" must have the form name=value.`)
    named.set(...pair)
  }
  return named
}

/** Evaluates arguments, by their names. */
export function* valuesOf(named: ReadonlyMap<string, Expression>, call: Call): Steps<Record<string, unknown>> {
  const values: Record<string, unknown> = Object.create(null)
  for (const [name, expression] of named) values[name] = yield* expression.value(call)
  return values
}

/** Removes `as name` from the end of a tag. */
export function withoutName(words: readonly string[]): { words: readonly string[]; name: string | undefined } {
  if (words.length < 2 || words.at(-2) !== 'as') return { words, name: undefined }
  return { words: words.slice(0, -2), name: variableName(words.at(-1)) }
}
