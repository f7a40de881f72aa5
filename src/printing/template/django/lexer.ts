/** A piece of a template: plain text, `{{ }}`, `{% %}` or `{# #}`. */
export type Piece = {
  kind: 'text' | 'output' | 'tag' | 'comment'
  /** Start offset in the template, and the offset after its end. */
  begin: number
  end: number
  /** The text itself, or the content between the braces. */
  content: string
}

const OPENING = /\{[{%#]/g

const FORMS: Record<string, { kind: Piece['kind']; closing: string }> = {
  '{{': { kind: 'output', closing: '}}' },
  '{%': { kind: 'tag', closing: '%}' },
  '{#': { kind: 'comment', closing: '#}' },
}

/**
 * Splits a Django template into pieces. A tag ends in the line in which it begins, or else it is text. Each character is read a few times
 * at most, even with tags that are opened and never closed.
 */
export function splitPieces(source: string): Piece[] {
  const pieces: Piece[] = []
  const closings = new Map<string, number>()
  let textBegan = 0
  let verbatim: string | undefined
  const text = (end: number): void => {
    if (end > textBegan) pieces.push({ kind: 'text', begin: textBegan, end, content: source.slice(textBegan, end) })
  }
  /** Returns the next position of a text from this one on; the position is cached until it is passed. */
  const next = (searched: string, from: number): number => {
    const cachedEnd = closings.get(searched)
    if (cachedEnd !== undefined && cachedEnd >= from) return cachedEnd
    const match = source.indexOf(searched, from)
    const at = match === -1 ? Number.POSITIVE_INFINITY : match
    closings.set(searched, at)
    return at
  }
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(source); match; match = OPENING.exec(source)) {
    const { kind, closing } = FORMS[match[0]] as (typeof FORMS)[string]
    const begin = match.index
    const closed = next(closing, begin + 2)
    if (closed === Number.POSITIVE_INFINITY || closed > next('\n', begin)) {
      OPENING.lastIndex = begin + 1
      continue
    }
    const content = source.slice(begin + 2, closed).trim()
    const isEnd = kind === 'tag' && content === verbatim
    if (verbatim !== undefined && !isEnd) {
      OPENING.lastIndex = begin + 1
      continue
    }
    const end = closed + 2
    text(begin)
    textBegan = end
    OPENING.lastIndex = end
    verbatim = kind === 'tag' && /^verbatim(?:\s|$)/.test(content) ? `end${content}` : undefined
    pieces.push({ kind, begin, end, content })
  }
  text(source.length)
  return pieces
}

/** Splits a tag into words; texts in quotes are not split. */
export function splitWords(content: string): string[] {
  const words: string[] = []
  const missing = new Set<string>()
  let begin = -1
  for (let at = 0; at <= content.length; at++) {
    const character = content[at]
    if (character === undefined || /\s/.test(character)) {
      if (begin !== -1) words.push(content.slice(begin, at))
      begin = -1
      continue
    }
    if (begin === -1) begin = at
    if ((character !== '"' && character !== "'") || missing.has(character)) continue
    const closed = closingQuote(content, at)
    if (closed === -1) missing.add(character)
    else at = closed
  }
  return words
}

/** Returns the end of the text in quotes that begins here; -1 if it does not end. */
export function closingQuote(text: string, begin: number): number {
  const quote = text[begin]
  for (let at = begin + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === quote) return at
  }
  return -1
}
