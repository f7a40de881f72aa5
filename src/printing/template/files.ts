import { baseTemplates } from '../defaults/bases.ts'
import type { Library } from '../rendering.ts'
import { detectLanguage } from './django/detect-language.ts'
import type { Language } from './language.ts'

/** Prefix for including snippets, as `snippets/NAME.html`. */
const SNIPPETS = 'snippets/'

type Snippets = Pick<Library, 'snippet'>

/** A file that templates extend or include. */
type TemplateSource = { text: string; language: Language }

/**
 * Finds the file for `extends`, `include` and `render`: one of the base templates, or a snippet. Nothing is read from the disk by its name.
 * @param language of the template that names the file; both languages have base templates
 */
export async function findTemplate(library: Snippets, path: string, language: Language): Promise<TemplateSource | undefined> {
  const base = baseTemplates[language].get(path)
  if (base !== undefined) return { text: base, language }
  const name = path.startsWith(SNIPPETS) ? path.slice(SNIPPETS.length) : ''
  const text = name !== '' && !/[/\\]/.test(name) ? await library.snippet(name) : undefined
  return text === undefined ? undefined : { text, language: detectLanguage(text, language) }
}

/** Human-readable error for a missing file. */
export const describeMissingTemplate = (path: string): string =>
  `The template "${path.slice(0, 100)}" to include or extend does not exist.`
