import { baseTemplates } from '../defaults/bases.ts'
import type { Library } from '../rendering.ts'
import { checkSize } from './bounds.ts'

/** Snippets are included under this folder, as `snippets/NAME.html`. */
const SNIPPETS = 'snippets/'

/** What `extends`, `include` and `render` find: the bases that we ship, and snippets. Nothing is read off the disk by a name. */
export function templateFiles(library: Pick<Library, 'snippet'>) {
  const never = (): never => {
    throw new Error('Templates are read one after another, never all at once.')
  }
  const read = async (path: string): Promise<string | undefined> => {
    const base = baseTemplates.get(path)
    if (base !== undefined) return base
    const name = path.startsWith(SNIPPETS) ? path.slice(SNIPPETS.length) : ''
    return name !== '' && !/[/\\]/.test(name) ? library.snippet(name) : undefined
  }
  return {
    async exists(): Promise<boolean> {
      return true
    },
    async readFile(path: string): Promise<string> {
      const text = await read(path)
      if (text === undefined) throw new Error(`There is no template "${path.slice(0, 100)}" to include or extend.`)
      checkSize(text)
      return text
    },
    resolve: (_folder: string, file: string): string => file,
    existsSync: never,
    readFileSync: never,
  }
}
