import { SafeHtml } from '../../output.ts'
import type { DjangoFilter } from '../expression.ts'
import { toInteger, toText } from '../values.ts'

/** Elements without an end tag. */
const VOID_ELEMENTS = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i
/** A start or end tag, a character reference, or text. */
const TOKEN = /<(\/?)([a-z][\w-]*)[^<>]*?(\/?)>|&(?:#\d+|#x[\da-f]+|\w+);|[^<&]+|[<&]/gi

/** Truncates HTML to a number of letters or words, and closes the elements that are open there. */
const createTruncation =
  (words: boolean): DjangoFilter['apply'] =>
  (value, argument) => {
    const html = toText(value)
    const maxLength = toInteger(argument)
    const open: string[] = []
    let output = ''
    let remaining = words ? maxLength : maxLength - 1
    // a text that fits is not truncated to make room for the ellipsis
    if (measureLength(html, words) <= maxLength) return new SafeHtml(html)
    for (const [piece, end, name, closed] of html.matchAll(TOKEN)) {
      if (name === undefined) {
        const { head, rest } = takeStart(piece, remaining, words)
        output += head
        remaining = rest
        if (remaining <= 0) break
        continue
      }
      output += piece
      if (end && open.at(-1) === name.toLowerCase()) open.pop()
      else if (!end && !closed && !VOID_ELEMENTS.test(name)) open.push(name.toLowerCase())
    }
    const ends = open.toReversed().map((name) => `</${name}>`)
    return new SafeHtml(`${output}${words ? ' …' : '…'}${ends.join('')}`)
  }

/** Returns the start of a string, and how many letters or words may follow it. */
function takeStart(text: string, remaining: number, words: boolean): { head: string; rest: number } {
  if (remaining <= 0) return { head: '', rest: 0 }
  if (!words) {
    const letters = text.startsWith('&') && text.length > 1 ? [text] : [...text]
    return { head: letters.slice(0, remaining).join(''), rest: remaining - letters.length }
  }
  let count = 0
  for (const { index, 0: word } of text.matchAll(/\S+/g))
    if (++count === remaining) return { head: text.slice(0, index + word.length), rest: 0 }
  return { head: text, rest: remaining - count }
}

function measureLength(html: string, words: boolean): number {
  const text = html.replaceAll(/<[^<>]*>/g, words ? ' ' : '').replaceAll(/&(?:#\d+|#x[\da-f]+|\w+);/gi, 'x')
  return words ? text.split(/\s+/).filter(Boolean).length : [...text].length
}

export const htmlFilters: Record<string, DjangoFilter> = {
  truncatechars_html: { argument: 'required', apply: createTruncation(false) },
  truncatewords_html: { argument: 'required', apply: createTruncation(true) },
}
