import { baseTemplates } from '../defaults/bases.ts'
import type { Library } from '../rendering.ts'
import { checkSize } from './bounds.ts'

/** Snippets are included under this folder, as `snippets/NAME.html`. */
const SNIPPETS = 'snippets/'

type Snippets = Pick<Library, 'snippet'>

/** What `extends`, `include` and `render` find: the bases that we ship, and snippets. Nothing is read off the disk by a name. */
export async function findTemplate(library: Snippets, path: string): Promise<string | undefined> {
  const base = baseTemplates.get(path)
  if (base !== undefined) return base
  const name = path.startsWith(SNIPPETS) ? path.slice(SNIPPETS.length) : ''
  return name !== '' && !/[/\\]/.test(name) ? library.snippet(name) : undefined
}

/** Why a file is not there, in words for people. */
export const noTemplate = (path: string): string => `There is no template "${path.slice(0, 100)}" to include or extend.`

/** The files of templates, as LiquidJS asks for them. */
export function templateFiles(library: Snippets) {
  const never = (): never => {
    throw new Error('Templates are read one after another, never all at once.')
  }
  return {
    async exists(): Promise<boolean> {
      return true
    },
    async readFile(path: string): Promise<string> {
      const text = await findTemplate(library, path)
      if (text === undefined) throw new Error(noTemplate(path))
      checkSize(text)
      return text
    },
    resolve: (_folder: string, file: string): string => file,
    existsSync: never,
    readFileSync: never,
  }
}
