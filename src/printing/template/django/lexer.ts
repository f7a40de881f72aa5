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
 * Splits a Django template into pieces. A tag ends in the line in which it begins, otherwise it is text. Each character is read a few times
 * at most, even with tags that are opened and never closed.
 */
export function splitPieces(source: string): Piece[] {
  const pieces: Piece[] = []
  const closingPositions = new Map<string, number>()
  let textStart = 0
  let verbatim: string | undefined
  const pushText = (end: number): void => {
    if (end > textStart) pieces.push({ kind: 'text', begin: textStart, end, content: source.slice(textStart, end) })
  }
  /** Returns the first position of a mark from a position on; the result is cached until it is passed. */
  const findNext = (mark: string, start: number): number => {
    const cachedEnd = closingPositions.get(mark)
    if (cachedEnd !== undefined && cachedEnd >= start) return cachedEnd
    const match = source.indexOf(mark, start)
    const position = match === -1 ? Number.POSITIVE_INFINITY : match
    closingPositions.set(mark, position)
    return position
  }
  OPENING.lastIndex = 0
  for (let match = OPENING.exec(source); match; match = OPENING.exec(source)) {
    const { kind, closing } = FORMS[match[0]] as (typeof FORMS)[string]
    const begin = match.index
    const closingPosition = findNext(closing, begin + 2)
    if (closingPosition === Number.POSITIVE_INFINITY || closingPosition > findNext('\n', begin)) {
      OPENING.lastIndex = begin + 1
      continue
    }
    const content = source.slice(begin + 2, closingPosition).trim()
    const isEnd = kind === 'tag' && content === verbatim
    if (verbatim !== undefined && !isEnd) {
      OPENING.lastIndex = begin + 1
      continue
    }
    const end = closingPosition + 2
    pushText(begin)
    textStart = end
    OPENING.lastIndex = end
    verbatim = kind === 'tag' && /^verbatim(?:\s|$)/.test(content) ? `end${content}` : undefined
    pieces.push({ kind, begin, end, content })
  }
  pushText(source.length)
  return pieces
}

/** Splits a tag into words; quoted strings are not split. */
export function splitWords(content: string): string[] {
  const words: string[] = []
  const unclosedQuotes = new Set<string>()
  let begin = -1
  for (let position = 0; position <= content.length; position++) {
    const character = content[position]
    if (character === undefined || /\s/.test(character)) {
      if (begin !== -1) words.push(content.slice(begin, position))
      begin = -1
      continue
    }
    if (begin === -1) begin = position
    if ((character !== '"' && character !== "'") || unclosedQuotes.has(character)) continue
    const closingPosition = findClosingQuote(content, position)
    if (closingPosition === -1) unclosedQuotes.add(character)
    else position = closingPosition
  }
  return words
}

/** Returns the position of the closing quote of the string that begins here; -1 if there is none. */
export function findClosingQuote(text: string, begin: number): number {
  const quote = text[begin]
  for (let position = begin + 1; position < text.length; position++) {
    if (text[position] === '\\') position++
    else if (text[position] === quote) return position
  }
  return -1
}
