/** A section of a document, as the search index has it. */
export type SearchSection = {
  url: string
  /** Title of its page. */
  page: string
  heading: string
  text: string
}

export type SearchResult = { section: SearchSection /** The text around the first match. */; excerpt: string }

const MAX_RESULTS = 20
/** Characters of the text that a result shows, and how many of them are before the match. */
const EXCERPT_LENGTH = 140
const EXCERPT_LEAD = 40

/**
 * Sections that contain all words of the query, best first: words in the heading count most, then words in the title of the page, then
 * words that begin where a word of the text begins. Words may be parts of names, such as `setting` of `GLOBAL_SETTING`.
 */
export function searchSections(sections: readonly SearchSection[], query: string): SearchResult[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return sections
    .flatMap((section) => {
      const scores = words.map((word) => scoreWord(section, word))
      return scores.every((score) => score > 0) ? [{ section, score: scores.reduce((sum, score) => sum + score, 0) }] : []
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RESULTS)
    .map(({ section }) => ({ section, excerpt: createExcerpt(section.text, words) }))
}

/** Score of a section for a word; 0 if it does not contain it. */
function scoreWord({ heading, page, text }: SearchSection, word: string): number {
  const startsIn = (value: string) => ` ${value}`.search(new RegExp(`[^\\p{L}\\p{N}]${escapePattern(word)}`, 'u')) >= 0
  const [lowerHeading, lowerPage, lowerText] = [heading.toLowerCase(), page.toLowerCase(), text.toLowerCase()]
  return (
    (startsIn(lowerHeading) ? 8 : lowerHeading.includes(word) ? 4 : 0) +
    (lowerPage.includes(word) ? 3 : 0) +
    (startsIn(lowerText) ? 2 : lowerText.includes(word) ? 1 : 0)
  )
}

const escapePattern = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, '\\$&')

/** The text around the first word that it contains, or its beginning. */
function createExcerpt(text: string, words: readonly string[]): string {
  const lowerText = text.toLowerCase()
  const matches = words.map((word) => lowerText.indexOf(word)).filter((index) => index >= 0)
  const match = matches.length > 0 ? Math.min(...matches) : 0
  // begins with a whole word
  const start = match <= EXCERPT_LEAD ? 0 : text.indexOf(' ', match - EXCERPT_LEAD) + 1
  if (start + EXCERPT_LENGTH >= text.length) return (start > 0 ? '… ' : '') + text.slice(start)
  // ends with a whole word, unless that is very long
  const end = text.lastIndexOf(' ', start + EXCERPT_LENGTH)
  return `${start > 0 ? '… ' : ''}${text.slice(start, end > match ? end : start + EXCERPT_LENGTH)} …`
}
