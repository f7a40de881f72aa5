import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { makeFolder } from '../../make-folder.ts'
import { packageFile } from '../../paths.ts'
import { isAlive } from '../../processes.ts'

/** An unpacked browser, and the files it may need. */
export type Chromium = {
  executable: string
  /** A folder of libraries, for machines without them. */
  libraries?: string
  /** The font configuration: only the fonts of the folder, so that every machine prints the same. */
  fonts?: string
}

/** The browser cannot be unpacked here. Its message is human-readable. */
export class BrowserUnpackError extends Error {}

/** Prefix of folder names in DATA_DIR, such as `browser-153.0.0`. */
const PREFIX = 'browser-'
/** Marks a temporary folder, before the machine and the process that creates it: `browser-153.0.0.new-host.4711-x`. */
const DRAFT_MARK = '.new-'
const MACHINE = hostname().replaceAll(/[^\w-]/g, '_')
/** Size on disk in bytes, rounded up. */
const UNPACKED_BYTES = 250_000_000
const MEGABYTE = 1024 * 1024
const FONT_CONFIG = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`
const DAY_MS = 24 * 3_600_000
/** Days after which the browser of another version is deleted, since another node may still use it. */
const MAX_UNUSED_DAYS = 30

/**
 * Unpacks the included browser into a versioned folder in DATA_DIR. A final rename makes the folder appear complete, however many processes
 * unpack at the same time.
 * @param minFreeDisk bytes that must stay free
 * @throws BrowserUnpackError
 */
export async function unpackBrowser(dataDir: string, minFreeDisk: number, signal: AbortSignal): Promise<Chromium> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new BrowserUnpackError(
      `the included printing browser is for x86-64 Linux, but this is ${process.arch} ${process.platform}; set CHROME_PATH to another one`,
    )
  const { archives, version } = findPackage()
  const folder = join(dataDir, PREFIX + version)
  await deleteUnused(dataDir, folder).catch(() => undefined)
  try {
    if (!(await isUnpacked(folder))) await unpackArchives(folder, archives, minFreeDisk, signal)
    await markUsed(folder)
  } catch (error) {
    if (error instanceof BrowserUnpackError) throw error
    throw new BrowserUnpackError(`the printing browser cannot be unpacked into ${folder}: ${(error as Error).message}`)
  }
  return describeFolder(folder)
}

/** The browser, if it was unpacked into DATA_DIR before. Changes nothing. @throws BrowserUnpackError */
export async function findUnpackedBrowser(dataDir: string): Promise<Chromium | undefined> {
  const folder = join(dataDir, PREFIX + findPackage().version)
  return (await isUnpacked(folder)) ? describeFolder(folder) : undefined
}

const describeFolder = (folder: string): Chromium => ({
  executable: join(folder, 'chromium'),
  libraries: join(folder, 'lib'),
  fonts: join(folder, 'fonts.conf'),
})

function findPackage(): { archives: string; version: string } {
  try {
    // the package exports code from a folder next to the archives
    const folder = dirname(dirname(packageFile('@sparticuz/chromium')))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { archives: join(folder, 'bin'), version }
  } catch {
    throw new BrowserUnpackError('the package @sparticuz/chromium is not installed; run "npm ci", or set CHROME_PATH')
  }
}

/**
 * Whether the browser is already there.
 * @throws BrowserUnpackError if others could have put it there
 */
async function isUnpacked(folder: string): Promise<boolean> {
  const stats = await stat(folder).catch(() => undefined)
  if (!stats) return false
  if (stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0) return true
  throw new BrowserUnpackError(`${folder} is not a folder that only this user can write to: delete it`)
}

async function unpackArchives(folder: string, archives: string, minFreeDisk: number, signal: AbortSignal): Promise<void> {
  makeFolder(dirname(folder), 0o700)
  const { bavail, bsize } = await statfs(dirname(folder))
  if (bavail * bsize < UNPACKED_BYTES + minFreeDisk)
    throw new BrowserUnpackError('the disk of DATA_DIR has too little free space for the printing browser')
  const draft = `${folder}${DRAFT_MARK}${MACHINE}.${process.pid}-${randomUUID()}`
  drafts.add(basename(draft))
  try {
    await mkdir(draft, { mode: 0o700 })
    const executable = createWriteStream(join(draft, 'chromium'), { mode: 0o700, flush: true })
    await pipeline(
      createReadStream(join(archives, 'chromium.br'), { highWaterMark: MEGABYTE }),
      createBrotliDecompress({ chunkSize: MEGABYTE }),
      executable,
      { signal },
    )
    const { extract } = await import('tar')
    for (const archive of ['al2023', 'fonts']) {
      const target = extract({ cwd: draft, strict: true, preserveOwner: false })
      await pipeline(createReadStream(join(archives, `${archive}.tar.br`)), createBrotliDecompress(), target, { signal })
    }
    // the one in the package names folders in /tmp, where any user may put a font
    await writeFile(join(draft, 'fonts.conf'), FONT_CONFIG)
    await rename(draft, folder)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // another process was faster
    if (await isUnpacked(folder)) return
    throw error
  } finally {
    drafts.delete(basename(draft))
  }
}

/** Marks the browser as used. */
export async function markUsed(folder: string): Promise<void> {
  const now = new Date()
  await utimes(folder, now, now)
}

/** Deletes the leftovers of aborted unpackings, and unused browsers of other versions. */
async function deleteUnused(dataDir: string, current: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const path = join(dataDir, name)
    if (!name.startsWith(PREFIX) || path === current) continue
    const days = (Date.now() - (await stat(path)).mtimeMs) / DAY_MS
    const shouldDelete = name.includes(DRAFT_MARK) ? days > 1 || belongsToDeadProcess(name) : days > MAX_UNUSED_DAYS
    if (shouldDelete) await rm(path, { recursive: true, force: true })
  }
}

/** Temporary folders of this process. */
const drafts = new Set<string>()

/** Whether a temporary folder belongs to a dead process of this machine. */
function belongsToDeadProcess(name: string): boolean {
  const [, machine, pid] = /\.new-([\w-]+)\.(\d+)-/.exec(name) ?? []
  return machine === MACHINE && !(Number(pid) === process.pid ? drafts.has(name) : isAlive(Number(pid)))
}
