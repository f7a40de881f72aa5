import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Logger } from 'pino'
import type { Lease } from '../../kit/services/maintenance.ts'
import type { Database, Tx } from '../../kit/sql/tx.ts'
import { makeFolder } from '../../make-folder.ts'
import { PluginFailure, type PluginPaths } from '../running.ts'
import { InstallError } from './cannot-install.ts'
import { type FetchedPackage, fetchPackage } from './fetch-package.ts'
import { readPackage } from './package-entry.ts'
import type { PackageRequest } from './package-request.ts'
import { computeDigest, MODULES, unpackTree } from './tree.ts'

/** A plugin installed from a package, and present on this node. */
export type Installed = {
  /** Its slug. */
  key: string
  /** Its npm package name. */
  packageName: string
  paths: PluginPaths
}

/** A package that should be on this node and is missing. */
export type MissingPackage = { name: string; message: string }

/** The packages present on a node, and the missing ones. */
export type SyncResult = { installed: readonly Installed[]; missing: readonly MissingPackage[] }

type Row = { key: string; name: string; version: string; digest: string }

type Options = {
  database: Database
  log: Logger
  /** The node's folder of packages, each in a subfolder named by its digest. */
  root: string
  /**
   * Tries whether a plugin loads, and whether it starts if one with its key is running, without affecting running plugins.
   * @returns its slug
   * @throws PluginFailure
   */
  tryOut: (paths: PluginPaths) => Promise<string>
  /** Time limit for fetching a package, in seconds. */
  seconds: number
  /** FETCH_ALLOWED_HOSTS. */
  allowedHosts: readonly string[]
}

/** Name prefixes of temporary folders. */
const FETCH_PREFIX = 'fetching-'
const UNPACK_PREFIX = 'unpacking-'

/**
 * The installed packages. The database stores them packed with all their dependencies, so that each node can create its folder without a
 * registry.
 */
export class Packages {
  readonly #options: Options
  /** Folders of the previous state, whose plugins may still be running. */
  #previousFolders: ReadonlySet<string> = new Set()
  /** Folders that are about to be needed. */
  readonly #pending = new Set<string>()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  /** Synchronizes the folder of this node with the database. */
  sync(): Promise<SyncResult> {
    const result = this.#queue.then(() => this.#syncNow())
    this.#queue = result.catch(() => undefined)
    return result
  }

  async #syncNow(): Promise<SyncResult> {
    const { database, log } = this.#options
    const text = 'select key, name, version, digest from plugin_package order by key'
    const rows = await database.read<Row>({ text, values: [] })
    const installed: Installed[] = []
    const missing: MissingPackage[] = []
    for (const row of rows) {
      try {
        installed.push(await this.#ensureInstalled(row))
      } catch (error) {
        log.warn({ err: error, package: row.name }, 'could not install a package of a plugin on this node')
        missing.push({
          name: row.key,
          message: `the package ${row.name} ${row.version} cannot be installed on this node: ${(error as Error).message}`,
        })
      }
    }
    const requiredFolders = new Set(rows.map(({ digest }) => getFolderName(digest)))
    await this.#prune(
      (name) =>
        name.length === FOLDER_NAME_LENGTH &&
        !requiredFolders.has(name) &&
        !this.#previousFolders.has(name) &&
        !this.#pending.has(name),
    )
    this.#previousFolders = requiredFolders
    return { installed, missing }
  }

  async #ensureInstalled({ key, name, digest }: Row): Promise<Installed> {
    if (!(await this.#isUnpacked(digest))) {
      const text = 'select tarball from plugin_package where digest = $1'
      const [packageRow] = await this.#options.database.read<{ tarball: Buffer }>({ text, values: [digest] })
      if (!packageRow) throw new Error('it is being replaced')
      if (computeDigest(packageRow.tarball) !== digest) throw new Error('the stored package differs from the installed one')
      await this.#unpack(packageRow.tarball, digest)
    }
    const folder = this.#packageFolder(name, digest)
    const { entry } = await readPackage(folder)
    return { key, packageName: name, paths: { entry, folder } }
  }

  async #isUnpacked(digest: string): Promise<boolean> {
    return await stat(join(this.#options.root, getFolderName(digest))).then(
      () => true,
      () => false,
    )
  }

  /** Unpacks a package; its folder appears complete or not at all. */
  async #unpack(tarball: Buffer, digest: string): Promise<void> {
    const { root } = this.#options
    const draft = join(root, `${UNPACK_PREFIX}${randomUUID()}`)
    try {
      await unpackTree(tarball, draft)
      await rename(draft, join(root, getFolderName(digest)))
    } catch (error) {
      await rm(draft, { recursive: true, force: true })
      // another process with this folder may have been faster
      if (!(await this.#isUnpacked(digest))) throw error
    }
  }

  readonly #packageFolder = (name: string, digest: string): string =>
    join(this.#options.root, getFolderName(digest), MODULES, name)

  async #prune(shouldDelete: (name: string) => boolean): Promise<void> {
    const { root } = this.#options
    const names = await readdir(root).catch(() => [])
    await Promise.all(names.filter(shouldDelete).map((name) => rm(join(root, name), { recursive: true, force: true })))
  }

  /**
   * Fetches a package and stores it, for every node. The current version is untouched until the new one is known to be a plugin that loads.
   * @param account the account that installs it
   * @returns its path in the data folder, and a human-readable report of the fetched files
   * @throws InstallError, Problem 503 if the lease is lost: nothing is changed then
   */
  async install(request: PackageRequest, account: number, lease: Lease): Promise<{ place: string; output: string }> {
    const { root, seconds, allowedHosts } = this.#options
    try {
      makeFolder(root)
      // only the holder of the lease fetches: existing temporary folders are leftovers
      await this.#prune((name) => name.startsWith(FETCH_PREFIX) || name.startsWith(UNPACK_PREFIX))
      const name = `${FETCH_PREFIX}${randomUUID()}`
      const fetched = await fetchPackage(request, { root, name, seconds, signal: lease.signal, allowedHosts })
      await rm(fetched.folder, { recursive: true, force: true })
      await this.#addPackage(fetched, request.requirement, account, lease)
      return { place: join(basename(root), getFolderName(fetched.digest), MODULES, fetched.name), output: fetched.output }
    } catch (error) {
      const { code, syscall } = error as NodeJS.ErrnoException
      if (syscall === undefined) throw error
      throw new InstallError(`The plugin folder on this machine is not writable (${code}).`)
    }
  }

  /** Moves a package to the plugin folder, tries it there and stores it. If that fails, it is removed. */
  async #addPackage(fetched: FetchedPackage, requirement: string, account: number, lease: Lease): Promise<void> {
    const folder = getFolderName(fetched.digest)
    const isNew = !(await this.#isUnpacked(fetched.digest))
    this.#pending.add(folder)
    try {
      if (isNew) await this.#unpack(fetched.tarball, fetched.digest)
      const key = await this.#loadKey(fetched)
      await this.#options.database.transaction(async (tx) => {
        await lease.requireIn(tx)
        await store(tx, { ...fetched, key, requirement, account })
      })
    } catch (error) {
      if (isNew) await this.#prune((name) => name === folder)
      throw error
    } finally {
      this.#pending.delete(folder)
    }
  }

  /** Tries the package once, to check that it is a plugin, and to get its key. */
  async #loadKey({ name, digest }: FetchedPackage): Promise<string> {
    const folder = this.#packageFolder(name, digest)
    const { entry } = await readPackage(folder)
    try {
      return await this.#options.tryOut({ entry, folder })
    } catch (error) {
      if (error instanceof PluginFailure) throw new InstallError(`The plugin cannot be loaded: ${error.message}`)
      throw error
    }
  }
}

type NewPackage = {
  key: string
  name: string
  version: string
  digest: string
  tarball: Buffer
  requirement: string
  account: number
}

async function store(tx: Tx, { key, name, version, digest, tarball, requirement, account }: NewPackage): Promise<void> {
  const others = await tx.query<{ key: string; name: string }>(
    'select key, name from plugin_package where key = $1 or name = $2 for no key update',
    [key, name],
  )
  const other = others.find((row) => row.key !== key || row.name !== name)
  if (other)
    throw new InstallError(
      `The plugin ${other.key} already comes from the package ${other.name}; this one, ${name}, has the same slug ${key}.`,
    )
  await tx.query(
    `insert into plugin_package (key, name, version, digest, tarball, requirement, installed_at, installed_by)
     values ($1, $2, $3, $4, $5, $6, now(), $7)
     on conflict (key) do update set version = excluded.version, digest = excluded.digest, tarball = excluded.tarball,
       requirement = excluded.requirement, installed_at = excluded.installed_at, installed_by = excluded.installed_by`,
    [key, name, version, digest, tarball, requirement, account],
  )
}

/** Digits of a digest on behalf of a folder. */
const FOLDER_NAME_LENGTH = 40
const getFolderName = (digest: string): string => digest.slice(0, FOLDER_NAME_LENGTH)
