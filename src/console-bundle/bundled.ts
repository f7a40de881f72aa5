import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { CONSOLE_BUNDLES, ROOT } from '../paths.ts'

// Loaded at every start of the service. Bundling runs in another process, as the bundler takes memory and is needed once.

const SOURCES = ['src/console', 'src/console-bundle']
/**
 * Inputs of the bundle besides its sources: the packages, the description of the API, the pages of its objects, the grammar of serial
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
  'src/tables/numbers.ts',
  'src/tables/heading-words.ts',
  'src/tables/headings.ts',
  'src/tables/delimited-text.ts',
  'src/tables/text-encoding.ts',
]

/** The service worker, in the folder of a bundle and at the root of the site. */
export const WORKER = 'service-worker.js'

/** A hash of all inputs of the console, in 16 digits. */
function hashSources(): string {
  const hash = createHash('sha256')
  const files = SOURCES.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.test\.ts$|\.md$|[\\/]testing$/.test(join(entry.parentPath, entry.name)))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  )
  for (const file of [...files.filter((file) => !file.includes('/testing/')).sort(), ...INPUT_FILES]) {
    const content = readFileSync(join(ROOT, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}

/** The folder of the bundle for the current sources; it may not exist yet. */
export const getBundleFolder = (): string => join(CONSOLE_BUNDLES, hashSources())

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
  const child = spawn(process.execPath, [join(ROOT, 'src/console-bundle/bundle.ts'), folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`the console could not be bundled: ${output.trim()}`)
  return folder
}
