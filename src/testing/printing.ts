import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after } from 'node:test'
import { type Chromium, unpack } from '../printing/browser/unpack.ts'

/** Why tests that print cannot run on this machine; false where they can. */
export const cannotPrint =
  process.platform === 'linux' && process.arch === 'x64'
    ? false
    : `the browser that comes with Stockroom is for x86-64 Linux, and this is ${process.arch} ${process.platform}`

/** Where the browser of all tests lies: it is unpacked once. */
const shared = join(import.meta.dirname, '../../node_modules/.cache/stockroom')

/** The browser of the tests, which is unpacked when it is first asked for. */
export const testChromium = (): Promise<Chromium> => unpack(shared, 0, AbortSignal.timeout(60_000))

/**
 * What the environment of a service says that prints: a data folder of its own in which the browser lies. The folder ends with the file.
 * On a machine where `cannotPrint` nothing lies there.
 */
export async function printing(): Promise<{ DATA_DIR: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-printing-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  if (!cannotPrint) {
    const { executable } = await testChromium()
    symlinkSync(dirname(executable), join(folder, basename(dirname(executable))))
  }
  return { DATA_DIR: folder }
}
