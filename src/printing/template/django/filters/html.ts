import { Safe } from '../../output.ts'
import type { DjangoFilter } from '../expression.ts'
import { integerOf, textOf } from '../values.ts'

/** Elements without an end tag. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i
/** A start or end tag, a character reference, or a text. */
const TOKEN = /<(\/?)([a-z][\w-]*)[^<>]*?(\/?)>|&(?:#\d+|#x[\da-f]+|\w+);|[^<&]+|[<&]/gi

/** Truncates HTML to a number of letters or words, and closes the elements that are open there. */
const shortened =
  (words: boolean): DjangoFilter['apply'] =>
  (value, argument) => {
    const html = textOf(value)
    const maxLength = integerOf(argument)
    const open: string[] = []
    let written = ''
    let remaining = words ? maxLength : maxLength - 1
    // a text that fits is not truncated to make room for the ellipsis
    if (lengthOf(html, words) <= maxLength) return new Safe(html)
    for (const [piece, end, name, closed] of html.matchAll(TOKEN)) {
      if (name === undefined) {
        const { head, rest } = cut(piece, remaining, words)
        written += head
        remaining = rest
        if (remaining <= 0) break
        continue
      }
      written += piece
      if (end && open.at(-1) === name.toLowerCase()) open.pop()
      else if (!end && !closed && !VOID.test(name)) open.push(name.toLowerCase())
    }
    const ends = open.toReversed().map((name) => `</${name}>`)
    return new Safe(`${written}${words ? ' …' : '…'}${ends.join('')}`)
  }

/** Returns the beginning of a text, and how many letters or words may still follow it. */
function cut(text: string, remaining: number, words: boolean): { head: string; rest: number } {
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

function lengthOf(html: string, words: boolean): number {
  const text = html.replaceAll(/<[^<>]*>/g, words ? ' ' : '').replaceAll(/&(?:#\d+|#x[\da-f]+|\w+);/gi, 'x')
  return words ? text.split(/\s+/).filter(Boolean).length : [...text].length
}

export const htmlFilters: Record<string, DjangoFilter> = {
  truncatechars_html: { argument: 'required', apply: shortened(false) },
  truncatewords_html: { argument: 'required', apply: shortened(true) },
}
