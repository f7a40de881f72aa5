import type { Call, Steps } from './engine.ts'
import { type Expression, shorten } from './expression.ts'
import { compare, contains, isEqual, isTrue } from './values.ts'

/** A condition that is true or false. */
export type Condition = (call: Call) => Steps

type Binary = { precedence: number; evaluate: (one: unknown, other: unknown) => unknown }

const createComparison = (test: (order: number) => boolean): Binary => ({
  precedence: 10,
  evaluate: (one, other) => {
    const order = compare(one, other)
    return order !== undefined && test(order)
  },
})

/** Binary operators and their precedence. */
const BINARY: Record<string, Binary> = {
  '==': { precedence: 10, evaluate: isEqual },
  '!=': { precedence: 10, evaluate: (one, other) => !isEqual(one, other) },
  '<': createComparison((order) => order < 0),
  '<=': createComparison((order) => order <= 0),
  '>': createComparison((order) => order > 0),
  '>=': createComparison((order) => order >= 0),
  in: { precedence: 9, evaluate: (one, other) => contains(other, one) },
  'not in': { precedence: 9, evaluate: (one, other) => !contains(other, one) },
  is: { precedence: 10, evaluate: isEqual },
  'is not': { precedence: 10, evaluate: (one, other) => !isEqual(one, other) },
}
const OR_PRECEDENCE = 6
const AND_PRECEDENCE = 7
const NOT_PRECEDENCE = 8

/** Maximum values and operators of one condition. */
const MAX_WORDS = 200

/**
 * Parses the words of `{% if %}`.
 * @throws Error with a human-readable message when they are not a condition
 */
export function parseCondition(words: readonly string[], parse: (text: string) => Expression): Condition {
  if (words.length > MAX_WORDS) throw new Error(`A condition can have at most ${MAX_WORDS} words.`)
  let position = 0

  const peekOperator = (): string | undefined => {
    const word = words[position]
    const pair = `${word} ${words[position + 1]}`
    return pair === 'not in' || pair === 'is not' ? pair : word
  }
  const getPrecedence = (name: string | undefined): number => {
    if (name === undefined) return 0
    if (name === 'or') return OR_PRECEDENCE
    if (name === 'and') return AND_PRECEDENCE
    return Object.hasOwn(BINARY, name) ? (BINARY[name] as Binary).precedence : -1
  }

  function parsePrefix(): Condition {
    const word = words[position++]
    if (word === undefined) throw new Error('A condition is incomplete.')
    if (word === 'not') {
      const negated = parseOperators(NOT_PRECEDENCE)
      return function* (call) {
        return !isTrue(yield* negated(call))
      }
    }
    if (getPrecedence(word) > 0) throw new Error(`"${shorten(word)}" is used instead of a value.`)
    const operand = parse(word)
    return (call) => operand.value(call)
  }

  function parseOperators(minPrecedence: number): Condition {
    let left = parsePrefix()
    for (let name = peekOperator(); getPrecedence(name) !== 0; name = peekOperator()) {
      const precedence = getPrecedence(name)
      if (precedence === -1) throw new Error(`"${shorten(name as string)}" is used instead of an operator.`)
      if (precedence <= minPrecedence) break
      position += (name as string).includes(' ') ? 2 : 1
      left = combine(name as string, left, parseOperators(precedence))
    }
    return left
  }

  const condition = parseOperators(0)
  if (position < words.length) throw new Error(`"${shorten(words[position] as string)}" is not valid here.`)
  return condition
}

function combine(name: string, left: Condition, right: Condition): Condition {
  if (name === 'or' || name === 'and')
    return function* (call) {
      const value = yield* left(call)
      return isTrue(value) === (name === 'or') ? value : yield* right(call)
    }
  const { evaluate } = BINARY[name] as Binary
  return function* (call) {
    return evaluate(yield* left(call), yield* right(call))
  }
}
