import { existsSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

// Resolves every file that comes with the program. A module runs from `src` or from a bundle of it below `dist` (server-bundle/bundle.js),
// so no other module may depend on its own path.

/** The folder of `package.json`. */
export const ROOT = findRoot(import.meta.dirname)

export const MIGRATIONS = join(ROOT, 'migrations')

/** The files served under `/static/`. */
export const STATIC = join(ROOT, 'static')

/** The OpenAPI document. */
export const OPENAPI = join(ROOT, 'generated', 'openapi.json')

/** The built-in templates of labels and reports, and their sources. */
export const TEMPLATES = join(ROOT, 'src', 'printing', 'defaults')

/** The script that runs in the page of a document before it is printed. */
export const IN_PAGE_SCRIPT = join(ROOT, 'src', 'printing', 'browser', 'in-page.js')

/** The bundles of the console, each in a folder of its own. */
export const CONSOLE_BUNDLES = join(ROOT, 'dist', 'console')

/** The documents that people read: the guides, and reference pages. The npm package contains only their bundle. */
export const DOCS = join(ROOT, 'docs')

/** The bundles of the documents, each in a folder of its own. */
export const DOCS_BUNDLES = join(ROOT, 'dist', 'docs')

/**
 * The bundles of an installed package, which has no sources: of the console, the documents and the server, and the licenses of the packages
 * in them.
 */
export const PACKED = join(ROOT, 'dist', 'packed')
export const PACKED_LICENSES = join(PACKED, 'licenses.json')

/** Whether this is an installed package, and not a checkout with the sources. */
export const isInstalledPackage = !existsSync(join(ROOT, 'src', 'cli.ts'))

/** The extension of modules: `.ts` for sources, `.js` for a bundle. */
const extension = extname(import.meta.filename)

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  const parent = dirname(folder)
  if (parent === folder) throw new Error(`there is no package.json above ${import.meta.dirname}`)
  return findRoot(parent)
}

/**
 * The file of a module that is started or loaded by its path: a worker, or a plugin. Each is an entry of the bundle.
 * @param module path below `src`, without its extension, such as `kit/http/list-file-worker`
 */
export const entryPath = (module: string): string =>
  extension === '.ts' ? join(ROOT, 'src', module + extension) : join(import.meta.dirname, basename(module) + extension)

/** The same as a URL, from which a worker thread is started. */
export const entryUrl = (module: string): URL => pathToFileURL(entryPath(module))

/**
 * The path of a file of an installed package.
 * @param specifier as in an import, such as `@fontsource-variable/noto-sans/wght.css`
 * @throws Error if it is not installed
 */
export const packageFile = (specifier: string): string => fileURLToPath(import.meta.resolve(specifier))

/**
 * The program that runs in the process of a plugin: its main module, the module that plugins import as `@stockroom-inventory/plugin`, and
 * the folders of both. The process may read these folders, so in a bundle they contain nothing else.
 */
export const pluginChild: { main: string; api: string; folders: string[] } =
  extension === '.ts'
    ? {
        main: join(ROOT, 'src/plugin-host/child/main.ts'),
        api: join(ROOT, 'src/plugin-api/index.ts'),
        folders: [join(ROOT, 'src/plugin-host'), join(ROOT, 'src/plugin-api')],
      }
    : {
        main: join(import.meta.dirname, 'plugin-child/main.js'),
        api: join(import.meta.dirname, 'plugin-child/plugin-api.js'),
        folders: [join(import.meta.dirname, 'plugin-child')],
      }
