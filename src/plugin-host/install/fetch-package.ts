import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import semver from 'semver'
import { makeFolder } from '../../make-folder.ts'
import { InstallError } from './cannot-install.ts'
import { type Dependencies, extractDependencies, isPackageName, readPackageJson } from './dependencies.ts'
import { type PlacedPackage, placeDependencies } from './dependency-layout.ts'
import { HttpClient } from './http-client.ts'
import { type PackageManifest, readPackage } from './package-entry.ts'
import { type PackageRequest, redact } from './package-request.ts'
import { findNpm, runProgram } from './programs.ts'
import { createArchiveBudget, Registry } from './registry.ts'
import { readRepository } from './repository.ts'
import { computeDigest, MAX_PACKED_BYTES, MODULES, packTree, tooLargeMessage } from './tree.ts'
import { createUnpackBudget, packFolder, type UnpackBudget, unpackPackage } from './unpack-package.ts'

/** A fetched package: packed with all its dependencies, in its own folder. */
export type FetchedPackage = PackageManifest & {
  folder: string
  tarball: Buffer
  digest: string
  /** A human-readable report of the fetched files, without secrets. */
  output: string
}

export type FetchOptions = {
  /** The folder in which it creates a folder `name`. */
  root: string
  name: string
  seconds: number
  signal?: AbortSignal
  /** FETCH_ALLOWED_HOSTS: internal hosts to which the requested URLs may lead. */
  allowedHosts?: readonly string[]
}

/**
 * Fetches a package with all its dependencies, without running any of its code, and checks it. This process fetches and unpacks every file
 * itself, without npm. The caller must delete the folder.
 * @throws InstallError if it cannot be fetched, depends on anything but packages in a registry, or is not a plugin; nothing is left behind
 *   then
 */
export async function fetchPackage(
  request: PackageRequest,
  { root, name, seconds, signal, allowedHosts }: FetchOptions,
): Promise<FetchedPackage> {
  const folder = join(root, name)
  const timeout = AbortSignal.timeout(seconds * 1000)
  const abortSignal = signal ? AbortSignal.any([timeout, signal]) : timeout
  const { source, credentials } = request
  const url = source.kind === 'registry' ? source.registry : source.kind === 'archive' ? source.url : undefined
  const client = new HttpClient({ signal: abortSignal, allowedHosts, ...(credentials && url && { credentials, url }) })
  if (url) client.allowHost(url)
  try {
    makeFolder(folder, 0o700)
    const { head, output } = await new PackageFetch({ request, folder, client, signal: abortSignal }).run()
    const tarball = await packTree(folder)
    return { ...head, folder, tarball, digest: computeDigest(tarball), output: redact(output, request) }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (timeout.aborted) throw new InstallError(`The package was not fetched within ${seconds} seconds.`)
    if (signal?.aborted) throw new InstallError('The installation was interrupted.')
    const { field } = error as Partial<InstallError>
    throw new InstallError(
      redact((error as Error).message, request)
        .replaceAll(folder, '.')
        .replaceAll(root, '.'),
      field,
    )
  } finally {
    client.close()
  }
}

type Options = { request: PackageRequest; folder: string; client: HttpClient; signal: AbortSignal }

/** The fetch of one package into a folder. */
class PackageFetch {
  readonly #options: Options
  readonly #budget: UnpackBudget = createUnpackBudget()
  #registry: Promise<Registry> | undefined

  constructor(options: Options) {
    this.#options = options
  }

  async run(): Promise<{ head: PackageManifest; output: string }> {
    const { request, folder } = this.#options
    const draft = join(folder, 'package')
    const origin = await this.#unpackSource(draft)
    const dependencies = await extractDependencies(draft)
    const { name } = await readPackageJson(draft)
    if (typeof name !== 'string' || !isPackageName(name)) throw new InstallError('The package has no valid name.')
    if (request.name !== undefined && request.name !== name)
      throw new InstallError(`The name of the package there is ${name}.`, 'packagename')
    // its folder is named after it
    const packageFolder = join(folder, MODULES, name)
    makeFolder(join(packageFolder, '..'))
    await rename(draft, packageFolder)
    const head = await readPackage(packageFolder)
    const { version } = head
    if (semver.valid(version, { loose: true }) === null) throw new InstallError('The package has no version of the form 1.0.0.')
    const root: PlacedPackage = { name, version, folder: packageFolder, dependencies, isOptional: false, inner: new Map() }
    const placed = dependencies.size === 0 ? [] : await this.#placeBelow(root)
    const all = [root, ...placed].map((pkg) => `${pkg.name} ${pkg.version}`)
    const output = `added ${all.length} package${all.length === 1 ? '' : 's'}: ${all.join(', ')}`
    return { head, output: [...origin, output].join('\n') }
  }

  async #placeBelow(root: PlacedPackage): Promise<PlacedPackage[]> {
    const registry = await this.#openRegistry()
    return await placeDependencies({ root, registry, unpack: (tarball, folder) => this.#unpack(tarball, folder) })
  }

  async #unpack(tarball: Buffer, folder: string): Promise<Dependencies> {
    await unpackPackage(tarball, { folder, budget: this.#budget, signal: this.#options.signal })
    return await extractDependencies(folder)
  }

  /** @returns lines about its source */
  async #unpackSource(draft: string): Promise<string[]> {
    const { request, client, signal, folder } = this.#options
    const { source, credentials } = request
    const unpacking = { folder: draft, budget: this.#budget, signal }
    switch (source.kind) {
      case 'registry': {
        const registry = await this.#openRegistry()
        await unpackPackage(await registry.fetch(await registry.find(source.name, source.version)), unpacking)
        return []
      }
      case 'archive':
        await unpackPackage(await client.fetch(source.url, { accept: '*/*', budget: createArchiveBudget() }), unpacking)
        return []
      case 'path':
        await this.#unpackPath(source.path, draft)
        return []
      case 'repository': {
        const gitFolder = join(folder, 'git')
        makeFolder(gitFolder)
        const read = (archive: Readable) => unpackPackage(archive, { ...unpacking, isExcluded: isSkipped })
        const commit = await readRepository(
          { ...source, ...(credentials && { credentials }) },
          { folder: gitFolder, signal, read },
        )
        await rm(gitFolder, { recursive: true, force: true })
        return [`commit ${commit}`]
      }
    }
  }

  async #unpackPath(path: string, draft: string): Promise<void> {
    const unpacking = { folder: draft, budget: this.#budget, signal: this.#options.signal }
    const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new InstallError(`There is no archive or folder at ${path} (${error.code}).`)
    })
    if (stats.isDirectory()) {
      // checked before all of a large folder is read
      await readPackageJson(path)
      return await unpackPackage(await packFolder(path, isSkipped), unpacking)
    }
    if (stats.isFile()) return await unpackPackage(await readArchive(path), unpacking)
    throw new InstallError(`There is no archive or folder at ${path}.`)
  }

  #openRegistry(): Promise<Registry> {
    this.#registry ??= this.#findRegistry()
    return this.#registry
  }

  async #findRegistry(): Promise<Registry> {
    const { request, folder, client, signal } = this.#options
    const { source } = request
    const registryUrl =
      source.kind === 'registry' && source.registry ? source.registry : await findDefaultRegistry(folder, signal)
    client.allowHost(registryUrl)
    return new Registry(client, registryUrl, signal)
  }
}

/** Files of a folder or a repository that are skipped: hidden files, and installed development packages. */
const isSkipped = (path: string): boolean => /^node_modules(\/|$)|(^|\/)\.[^/]/.test(path)

async function readArchive(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    if ((await file.stat()).size > MAX_PACKED_BYTES) throw new InstallError(tooLargeMessage)
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** The npm registry that is configured on this machine. npm does nothing else, and reads no project settings: it runs in a separate folder. */
async function findDefaultRegistry(folder: string, signal: AbortSignal): Promise<string> {
  const npm = findNpm()
  if (!npm) throw new InstallError('npm is not available on this machine: neither npm_execpath nor PATH has it.')
  const empty = join(folder, 'npm')
  makeFolder(empty)
  await writeFile(join(empty, 'package.json'), '{}')
  const npmVariables = Object.entries(process.env).filter(([name]) => /^(HOME|USERPROFILE|APPDATA|npm_config_\w+)$/i.test(name))
  const environment = { ...Object.fromEntries(npmVariables), npm_config_update_notifier: 'false', npm_config_loglevel: 'silent' }
  const args = ['config', 'get', 'registry', '--logs-max=0']
  const { isSuccessful, output } = await runProgram(npm, args, { folder: empty, environment, signal })
  await rm(empty, { recursive: true, force: true })
  const url = URL.parse(output.split('\n').at(-1) ?? '')
  if (!isSuccessful || !url || !/^https?:$/.test(url.protocol)) throw new InstallError(`npm returned no registry: ${output}`)
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}
