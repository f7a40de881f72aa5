import { baseTemplates } from '../defaults/bases.ts'
import type { Library } from '../rendering.ts'
import { languageOf } from './django/language-of.ts'
import type { Language } from './language.ts'

/** Snippets are included under this folder, as `snippets/NAME.html`. */
const SNIPPETS = 'snippets/'

type Snippets = Pick<Library, 'snippet'>

/** A file that templates extend or include. */
type Found = { text: string; language: Language }

/**
 * What `extends`, `include` and `render` find: the bases that we ship, and snippets. Nothing is read off the disk by a name.
 * @param language of the template that asks; there are bases for either
 */
export async function findTemplate(library: Snippets, path: string, language: Language): Promise<Found | undefined> {
  const base = baseTemplates[language].get(path)
  if (base !== undefined) return { text: base, language }
  const name = path.startsWith(SNIPPETS) ? path.slice(SNIPPETS.length) : ''
  const text = name !== '' && !/[/\\]/.test(name) ? await library.snippet(name) : undefined
  return text === undefined ? undefined : { text, language: languageOf(text, language) }
}

/** Why a file is not there, in words for people. */
export const noTemplate = (path: string): string => `The template "${path.slice(0, 100)}" to include or extend does not exist.`
