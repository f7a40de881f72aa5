import { filters as djangoFilters } from './django/filters/index.ts'
import { tags as djangoTags } from './django/tags/index.ts'
import { TemplateEngine } from './engine.ts'
import { emptyEnvironment } from './filters/index.ts'
import type { Language } from './language.ts'

/** The names of tags and filters in a language. A tag of `blocks` has content, which `end` and its name ends. */
export type Vocabulary = { tags: readonly string[]; blocks: readonly string[]; filters: readonly string[] }

/** Tags with content. A test compares them with the parsers. */
const BLOCKS: Record<Language, readonly string[]> = {
  liquid: ['block', 'capture', 'case', 'comment', 'for', 'if', 'raw', 'tablerow', 'unless'],
  django: [
    'autoescape',
    'block',
    'blocktrans',
    'blocktranslate',
    'comment',
    'filter',
    'for',
    'if',
    'ifchanged',
    'language',
    'localize',
    'localtime',
    'spaceless',
    'verbatim',
    'with',
  ],
}

/** Tags inside of others, which the parsers read as parts of these. */
const INNER_TAGS: Record<Language, readonly string[]> = {
  liquid: ['else', 'elsif', 'when'],
  django: ['elif', 'else', 'empty'],
}

const sortNames = (names: readonly string[]): string[] => [...new Set(names)].sort()

/** The tags and filters of both languages, as their parsers know them. */
export function listVocabulary(): Record<Language, Vocabulary> {
  const engine = new TemplateEngine(emptyEnvironment)
  const vocabulary = (language: Language, tags: readonly string[], filters: readonly string[]): Vocabulary => {
    const blocks = BLOCKS[language]
    const endTags = blocks.map((name) => `end${name}`)
    return { tags: sortNames([...tags, ...INNER_TAGS[language], ...endTags]), blocks, filters: sortNames(filters) }
  }
  return {
    liquid: vocabulary('liquid', Object.keys(engine.tags), Object.keys(engine.filters)),
    django: vocabulary('django', Object.keys(djangoTags), Object.keys(djangoFilters)),
  }
}
