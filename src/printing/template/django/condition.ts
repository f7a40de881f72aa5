import type { Call, Steps } from './engine.ts'
import { type Expression, shortened } from './expression.ts'
import { compare, contains, isEqual, isTrue } from './values.ts'

/** A condition that is true or false. */
export type Condition = (call: Call) => Steps

type Binary = { strength: number; evaluate: (one: unknown, other: unknown) => unknown }

const ordered = (test: (order: number) => boolean): Binary => ({
  strength: 10,
  evaluate: (one, other) => {
    const order = compare(one, other)
    return order !== undefined && test(order)
  },
})

/** Binary operators and their precedence. */
const BINARY: Record<string, Binary> = {
  '==': { strength: 10, evaluate: isEqual },
  '!=': { strength: 10, evaluate: (one, other) => !isEqual(one, other) },
  '<': ordered((order) => order < 0),
  '<=': ordered((order) => order <= 0),
  '>': ordered((order) => order > 0),
  '>=': ordered((order) => order >= 0),
  in: { strength: 9, evaluate: (one, other) => contains(other, one) },
  'not in': { strength: 9, evaluate: (one, other) => !contains(other, one) },
  is: { strength: 10, evaluate: isEqual },
  'is not': { strength: 10, evaluate: (one, other) => !isEqual(one, other) },
}
const OR = 6
const AND = 7
const NOT = 8

/** Maximum values and operators of one condition. */
const MAX_WORDS = 200

/**
 * Parses the words of `{% if %}`.
 * @throws Error with a human-readable message when they are not a condition
 */
export function readCondition(words: readonly string[], read: (text: string) => Expression): Condition {
  if (words.length > MAX_WORDS) throw new Error(`A condition can have at most ${MAX_WORDS} words.`)
  let at = 0

  const operator = (): string | undefined => {
    const word = words[at]
    const pair = `${word} ${words[at + 1]}`
    return pair === 'not in' || pair === 'is not' ? pair : word
  }
  const strengthOf = (name: string | undefined): number => {
    if (name === undefined) return 0
    if (name === 'or') return OR
    if (name === 'and') return AND
    return Object.hasOwn(BINARY, name) ? (BINARY[name] as Binary).strength : -1
  }

  function prefix(): Condition {
    const word = words[at++]
    if (word === undefined) throw new Error('A condition is incomplete.')
    if (word === 'not') {
      const negated = expression(NOT)
      return function* (call) {
        return !isTrue(yield* negated(call))
      }
    }
    if (strengthOf(word) > 0) throw new Error(`"${shortened(word)}" is used instead of a value.`)
    const operand = read(word)
    return (call) => operand.value(call)
  }

  function expression(above: number): Condition {
    let left = prefix()
    for (let name = operator(); strengthOf(name) !== 0; name = operator()) {
      const strength = strengthOf(name)
      if (strength === -1) throw new Error(`"${shortened(name as string)}" is used instead of an operator.`)
      if (strength <= above) break
      at += (name as string).includes(' ') ? 2 : 1
      left = joined(name as string, left, expression(strength))
    }
    return left
  }

  const condition = expression(0)
  if (at < words.length) throw new Error(`"${shortened(words[at] as string)}" is not valid here.`)
  return condition
}

function joined(name: string, left: Condition, right: Condition): Condition {
  if (name === 'or' || name === 'and')
    return function* (call) {
      const value = yield* left(call)
      return isTrue(value) === (name === 'or') ? value : yield* right(call)
    }
  const { evaluate: holds } = BINARY[name] as Binary
  return function* (call) {
    return holds(yield* left(call), yield* right(call))
  }
}
