import type { ErrorMessage } from './message.ts'
import { queryErrors } from './value-errors.ts'

/**
 * Selects the regular expressions of clients that PostgreSQL may run. Its engine follows all paths through an expression in parallel, so
 * its work for each character of a text is bounded by the length of the expression with its repetitions written out. That does not hold for
 * back references, which it finds by backtracking, in exponential time; nor for a lookahead or lookbehind, which reads the rest of the text
 * at each character, and once more for each nested one.
 */

const MAX_LENGTH = 500
/** Maximum number of characters that one match of an expression passes, with every repetition at its maximum. */
const MAX_SIZE = 1000

/** Prefixes that change how the rest is parsed: a literal text, or another syntax, for which the rules here do not hold. */
const OTHER_SYNTAX = /^\*\*\*|^\(\?[a-z]*[beqx][a-z]*\)/

/** The reason to reject an expression; undefined if it is allowed. */
export function findRegularExpressionError(expression: string): ErrorMessage | undefined {
  if (expression.length > MAX_LENGTH) return queryErrors.regular_expression_too_long({ max_length: MAX_LENGTH })
  if (OTHER_SYNTAX.test(expression)) return queryErrors.regular_expression_syntax_change
  const { refersBack, nestsLookarounds, size } = analyze(expression)
  if (refersBack) return queryErrors.regular_expression_back_reference
  if (nestsLookarounds) return queryErrors.regular_expression_nested_look
  if (size > MAX_SIZE) return queryErrors.regular_expression_repetitions({ max_size: MAX_SIZE })
  return undefined
}

/** The elements of an expression. A comment may hold anything but its end; a bracket expression may contain brackets. */
const ELEMENT = new RegExp(
  [
    String.raw`(?<comment>\(\?#[^)]*\)?)`,
    String.raw`(?<look>\(\?<?[=!])`,
    String.raw`(?<open>\((?:\?:)?)`,
    String.raw`(?<close>\))`,
    String.raw`\\(?<escaped>.)`,
    String.raw`\{(?<min>\d+)(?:,(?<max>\d*))?\}`,
    String.raw`\[\^?\]?(?:\[(?<mark>[:.=]).*?\k<mark>\]|\\.|[^\]\\])*\]?`,
    '.',
  ].join('|'),
  'gs',
)

type Group = { size: number; isLookaround: boolean }

/** Reads an expression once from left to right. Unbalanced expressions are left for PostgreSQL to reject. */
function analyze(expression: string): { refersBack: boolean; nestsLookarounds: boolean; size: number } {
  const groups: Group[] = [{ size: 0, isLookaround: false }]
  let refersBack = false
  let nestsLookarounds = false
  /** The size of the element that a count would repeat. */
  let last = 0
  const add = (size: number) => {
    ;(groups.at(-1) as Group).size += size
    last = size
  }
  for (const { groups: part = {} } of expression.matchAll(ELEMENT)) {
    // a count after a comment repeats the element before the comment
    if (part.comment) continue
    if (part.look || part.open) {
      nestsLookarounds ||= part.look !== undefined && groups.some(({ isLookaround }) => isLookaround)
      groups.push({ size: 0, isLookaround: part.look !== undefined })
    } else if (part.close) {
      add(groups.length > 1 ? (groups.pop() as Group).size : 1)
    } else if (part.min) {
      const times = Math.max(1, Number(part.min), Number(part.max || 0))
      const size = last * times
      add(size - last)
      last = size
    } else {
      refersBack ||= part.escaped !== undefined && /[1-9]/.test(part.escaped)
      add(1)
    }
  }
  return { refersBack, nestsLookarounds, size: groups.reduce((sum, { size }) => sum + size, 0) }
}
