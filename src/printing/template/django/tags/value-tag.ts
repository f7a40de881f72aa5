import type { Call, Steps } from '../engine.ts'
import { type Expression, shorten } from '../expression.ts'
import type { TagReader } from '../node.ts'
import { evaluateArguments, readNamedArgument, splitName } from './arguments.ts'

/** Arguments of a tag by their names; omitted arguments are absent. */
export type TagArguments = Readonly<Record<string, unknown>>

/** A tag with a value, which is output, or assigned with `as name`. */
export type ValueTag = {
  /** Positional arguments in order; all of them may be given by name. */
  parameters: readonly string[]
  /** Number of required arguments. */
  requiredCount?: number
  /** Takes any number of further values, as `others`. */
  acceptsMore?: true
  value(args: TagArguments, call: Call): unknown
  /** Returns a human-readable message if something that the tag uses is missing; the argument may be a literal of the template. */
  findMissing?(args: ReadonlyMap<string, Expression>): string | undefined
}

/** Creates the reader of a value tag. */
export const createValueTagReader =
  (definition: ValueTag): TagReader =>
  (tag, parser) => {
    const { words, name } = splitName(tag.words)
    const args = new Map<string, Expression>()
    const more: Expression[] = []
    let position = 0
    for (const word of words) {
      const pair = readNamedArgument(word, parser)
      const argument = pair ? pair[0] : definition.parameters[position++]
      if (argument === undefined && definition.acceptsMore) more.push(parser.parseExpression(word))
      else if (argument === undefined)
        throw new Error(`The tag "${tag.name}" takes at most ${definition.parameters.length} values.`)
      else if (definition.parameters.includes(argument)) args.set(argument, pair ? pair[1] : parser.parseExpression(word))
      else parser.reportMissing(`option ${tag.name} ${argument}`, `The tag "${tag.name}" has no "${shorten(argument)}".`)
    }
    const missing = definition.parameters.slice(0, definition.requiredCount ?? 0).find((argument) => !args.has(argument))
    if (missing !== undefined) throw new Error(`The tag "${tag.name}" requires "${missing}".`)
    const missingMessage = definition.findMissing?.(args)
    if (missingMessage !== undefined) parser.reportMissing(`${tag.name} ${missingMessage}`, missingMessage)
    return parser.createValueNode(tag.token, name, function* (call): Steps {
      const values = yield* evaluateArguments(args, call)
      const others: unknown[] = []
      for (const expression of more) others.push(yield* expression.value(call))
      const value = definition.value({ ...values, others }, call)
      return value instanceof Promise ? yield value : value
    })
  }
