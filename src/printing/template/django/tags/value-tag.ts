import type { Call, Steps } from '../engine.ts'
import { type Expression, shortened } from '../expression.ts'
import type { TagReader } from '../node.ts'
import { namedArgument, valuesOf, withoutName } from './arguments.ts'

/** The arguments of a tag by their names; what is not given is absent. */
export type Given = Readonly<Record<string, unknown>>

/** A tag that has a value, which is put out, or set aside with `as name`. */
export type ValueTag = {
  /** Its arguments in the order in which they may be given; all of them may be given by name. */
  takes: readonly string[]
  /** How many of them it needs. */
  needs?: number
  /** It takes any number of values beyond them, as `others`. */
  manyMore?: true
  value(given: Given, call: Call): unknown
  /** What is not there of what is asked for, in words for people; the argument may be written out in the template. */
  lacks?(given: ReadonlyMap<string, Expression>): string | undefined
}

/** Reads a tag of this kind. */
export const valueTag =
  (kind: ValueTag): TagReader =>
  (tag, parser) => {
    const { words, name } = withoutName(tag.words)
    const given = new Map<string, Expression>()
    const more: Expression[] = []
    let place = 0
    for (const word of words) {
      const pair = namedArgument(word, parser)
      const argument = pair ? pair[0] : kind.takes[place++]
      if (argument === undefined && kind.manyMore) more.push(parser.expression(word))
      else if (argument === undefined) throw new Error(`The tag "${tag.name}" takes at most ${kind.takes.length} values.`)
      else if (kind.takes.includes(argument)) given.set(argument, pair ? pair[1] : parser.expression(word))
      else parser.lacks(`option ${tag.name} ${argument}`, `The tag "${tag.name}" has no "${shortened(argument)}".`)
    }
    const missing = kind.takes.slice(0, kind.needs ?? 0).find((argument) => !given.has(argument))
    if (missing !== undefined) throw new Error(`The tag "${tag.name}" requires "${missing}".`)
    const lacking = kind.lacks?.(given)
    if (lacking !== undefined) parser.lacks(`${tag.name} ${lacking}`, lacking)
    return parser.valued(tag.token, name, function* (call): Steps {
      const values = yield* valuesOf(given, call)
      const others: unknown[] = []
      for (const expression of more) others.push(yield* expression.value(call))
      const value = kind.value({ ...values, others }, call)
      return value instanceof Promise ? yield value : value
    })
  }
