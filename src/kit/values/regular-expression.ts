import type { ErrorMessage } from './message.ts'
import { queryErrors } from './value-errors.ts'

/**
 * Which regular expressions of clients are given to PostgreSQL. Its engine follows all ways through an expression at once, so that
 * what it does for each character of a text is bounded by the length of the expression once its repetitions are written out.
 * That is not so for references back to what was matched, which it finds by trying, in exponential time; nor for a lookahead or
 * lookbehind, which reads the rest of the text at each character, and once more for each that stands inside another.
 */

const MAX_LENGTH = 500
/** The most characters that one match of an expression passes, where it repeats everything as often as it may. */
const MAX_SIZE = 1000

/** Leading words that change how the rest is read: a literal text, or another syntax, for which the rules here do not hold. */
const OTHER_SYNTAX = /^\*\*\*|^\(\?[a-z]*[beqx][a-z]*\)/

/** Why an expression is not carried out; undefined when nothing speaks against it. */
export function objectionTo(expression: string): ErrorMessage | undefined {
  if (expression.length > MAX_LENGTH) return queryErrors.regular_expression_too_long({ max_length: MAX_LENGTH })
  if (OTHER_SYNTAX.test(expression)) return queryErrors.regular_expression_syntax_change
  const { refersBack, nestsLooks, size } = measure(expression)
  if (refersBack) return queryErrors.regular_expression_back_reference
  if (nestsLooks) return queryErrors.regular_expression_nested_look
  if (size > MAX_SIZE) return queryErrors.regular_expression_repetitions({ max_size: MAX_SIZE })
  return undefined
}

/** What an expression consists of. A comment may hold anything but its end; a bracket may hold brackets of its own. */
const PART = new RegExp(
  [
    String.raw`(?<comment>\(\?#[^)]*\)?)`,
    String.raw`(?<look>\(\?<?[=!])`,
    String.raw`(?<open>\((?:\?:)?)`,
    String.raw`(?<close>\))`,
    String.raw`\\(?<escaped>.)`,
    String.raw`\{(?<least>\d+)(?:,(?<most>\d*))?\}`,
    String.raw`\[\^?\]?(?:\[(?<mark>[:.=]).*?\k<mark>\]|\\.|[^\]\\])*\]?`,
    '.',
  ].join('|'),
  'gs',
)

type Group = { size: number; isLook: boolean }

/** Reads an expression once from left to right. What is not balanced is PostgreSQL's to refuse. */
function measure(expression: string): { refersBack: boolean; nestsLooks: boolean; size: number } {
  const groups: Group[] = [{ size: 0, isLook: false }]
  let refersBack = false
  let nestsLooks = false
  /** The size of what a count would repeat. */
  let last = 0
  const add = (size: number) => {
    ;(groups.at(-1) as Group).size += size
    last = size
  }
  for (const { groups: part = {} } of expression.matchAll(PART)) {
    // a count behind a comment repeats what stands before it
    if (part.comment) continue
    if (part.look || part.open) {
      nestsLooks ||= part.look !== undefined && groups.some(({ isLook }) => isLook)
      groups.push({ size: 0, isLook: part.look !== undefined })
    } else if (part.close) {
      add(groups.length > 1 ? (groups.pop() as Group).size : 1)
    } else if (part.least) {
      const times = Math.max(1, Number(part.least), Number(part.most || 0))
      const size = last * times
      add(size - last)
      last = size
    } else {
      refersBack ||= part.escaped !== undefined && /[1-9]/.test(part.escaped)
      add(1)
    }
  }
  return { refersBack, nestsLooks, size: groups.reduce((sum, { size }) => sum + size, 0) }
}
