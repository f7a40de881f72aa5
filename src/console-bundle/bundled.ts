import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CONSOLE_BUNDLES, isInstalledPackage, PACKED } from '../paths.ts'
import { hashFiles, listFiles, runBundler } from './bundle-folder.ts'

// Loaded at every start of the service. Bundling runs in another process, as the bundler takes memory and is needed once.

const SOURCES = ['src/console', 'src/console-bundle']
/**
 * Inputs of the bundle in addition to its sources: the packages, the description of the API, the pages of its objects, the grammar of serial
 * numbers, and the parser of GS1 codes. The bundler rejects imports that are not listed here.
 */
export const INPUT_FILES = [
  'package.json',
  'generated/openapi.json',
  'src/web-pages.ts',
  'src/notation/serial/serial-numbers.ts',
  'src/notation/serial/serial-errors.ts',
  'src/kit/values/message.ts',
  'src/kit/values/sort-integer.ts',
  'src/notation/gs1/gs1-code.ts',
  'src/notation/gs1/application-identifiers.ts',
  'src/notation/gs1/check-digit.ts',
  'src/plugin-api/barcode/index.ts',
  'src/plugin-api/barcode/message.ts',
  'src/plugin-api/barcode/separators.ts',
  'src/plugin-api/barcode/supplier-label.ts',
  'src/plugin-api/barcode/supplier-of.ts',
  'src/spreadsheets/numbers.ts',
  'src/spreadsheets/heading-words.ts',
  'src/spreadsheets/headings.ts',
  'src/spreadsheets/delimited-text.ts',
  'src/spreadsheets/text-encoding.ts',
]

/** The service worker, in the folder of a bundle and at the root of the site. */
export const WORKER = 'service-worker.js'

/** The inputs of the bundle: the sources without their tests, then the others. */
const listInputs = (): string[] => [
  ...listFiles(SOURCES)
    .filter((file) => !/\.test\.ts$|\.md$|[\\/]testing[\\/]/.test(file))
    .sort(),
  ...INPUT_FILES,
]

/** The folder of the bundle: that of the package, or the one for the current sources, which may not exist yet. */
export const getBundleFolder = (): string =>
  isInstalledPackage ? join(PACKED, 'console') : join(CONSOLE_BUNDLES, hashFiles(listInputs()))

/** Whether this folder contains a bundle. A bundle is always complete. */
export const isBundled = (folder: string): boolean => existsSync(join(folder, 'index.html'))

/**
 * Makes the bundle of the console unless it exists, in a separate process. When it exists, this takes some milliseconds.
 * @returns its folder
 * @throws Error with the output of the bundler
 */
export async function bundleConsole(): Promise<string> {
  const folder = getBundleFolder()
  if (isBundled(folder)) return folder
  await runBundler('src/console-bundle/bundle.ts', folder).catch(({ message }) => {
    throw new Error(`the console could not be bundled: ${message}`)
  })
  return folder
}
