/** Score of an entry for a search: by its title, or by other words for it. */
export type Match = 'title' | 'words'

/** The words of a search, in lower case. */
export const splitWords = (text: string): string[] => text.trim().toLowerCase().split(/\s+/).filter(Boolean)

const startsWord = (text: string, word: string): boolean =>
  text.split(/[^\p{L}\p{N}]+/u).some((candidate) => candidate.startsWith(word)) || text.includes(` ${word}`)

/**
 * Matches an entry with the words of a search; undefined if it does not match. Each word may be anywhere in the title, or begin another word
 * for the entry: inside of those it would match by accident, such as `bin` in "cabinet".
 */
export function matchWords(words: readonly string[], title: string, synonyms = ''): Match | undefined {
  const lowerTitle = title.toLowerCase()
  if (words.every((word) => lowerTitle.includes(word))) return 'title'
  const lowerSynonyms = synonyms.toLowerCase()
  return words.every((word) => lowerTitle.includes(word) || startsWord(lowerSynonyms, word)) ? 'words' : undefined
}
