import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hashFiles, listFiles, runBundler } from '../console-bundle/bundle-folder.ts'
import { DOCS_BUNDLES, isInstalledPackage, PACKED } from '../paths.ts'

// Loaded at every start of the service. Bundling runs in another process.

/** Inputs of the bundle: the documents with their pictures, the programs that make and show the pages, and the style of the console. */
const SOURCES = ['docs', 'src/docs-bundle', 'src/console/docs', 'src/console/style']
/** Further inputs. The bundler rejects imports that are not among the inputs. */
const INPUT_FILES = [
  'package.json',
  'src/console-bundle/write-bundle.ts',
  'src/console/icon.svg',
  'src/console/kit/page/theme.ts',
  'src/kit/values/write-html.ts',
]

/** The inputs of the bundle. */
export const listInputs = (): string[] => [
  ...listFiles(SOURCES)
    .filter((file) => !/\.test\.ts$|^docs[\\/](adr[\\/]|.*\.json$)/.test(file))
    .sort(),
  ...INPUT_FILES,
]

/** The folder of the bundle: that of the package, or the one for the current documents, which may not exist yet. */
export const getDocsFolder = (): string =>
  isInstalledPackage ? join(PACKED, 'docs') : join(DOCS_BUNDLES, hashFiles(listInputs()))

/** Whether this folder contains a bundle. A bundle is always complete. */
export const isDocsBundled = (folder: string): boolean => existsSync(join(folder, 'index.html'))

/**
 * Makes the bundle of the documents unless it exists, in a separate process.
 * @throws Error with the output of the bundler
 */
export async function bundleDocs(): Promise<void> {
  const folder = getDocsFolder()
  if (isDocsBundled(folder)) return
  await runBundler('src/docs-bundle/bundle.ts', folder).catch(({ message }) => {
    throw new Error(`the guides could not be bundled: ${message}`)
  })
}
