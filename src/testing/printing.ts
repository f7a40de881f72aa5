import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after } from 'node:test'
import { ROOT } from '../paths.ts'
import { type Chromium, unpackBrowser } from '../printing/browser/unpack.ts'
import { scaleTimeout } from './slowness.ts'

/** Reason why printing tests cannot run on this machine; false where they can. */
export const printingUnsupported =
  process.platform === 'linux' && process.arch === 'x64'
    ? false
    : `the browser that comes with Stockroom is for x86-64 Linux, and this is ${process.arch} ${process.platform}`

/** The folder of the browser for all tests: it is unpacked once. */
const SHARED_FOLDER = join(ROOT, 'node_modules/.cache/stockroom')

/** Returns the browser of the tests, which is unpacked on first use. */
export const getTestChromium = (): Promise<Chromium> => unpackBrowser(SHARED_FOLDER, 0, AbortSignal.timeout(scaleTimeout(60_000)))

/**
 * Links the browser of the tests into the data folder of a service, which would otherwise unpack its own at its start: two seconds of
 * processor time, and 200 MB. Does nothing on a machine where `printingUnsupported` is set.
 */
export async function installBrowser(dataDir: string): Promise<void> {
  if (printingUnsupported) return
  const folder = dirname((await getTestChromium()).executable)
  const link = join(dataDir, basename(folder))
  if (statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() && !existsSync(link)) symlinkSync(folder, link)
}

/** Returns the environment of a service that prints: a data folder of its own that contains the browser. The folder is deleted after the file. */
export async function preparePrinting(): Promise<{ DATA_DIR: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-printing-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  await installBrowser(folder)
  return { DATA_DIR: folder }
}
