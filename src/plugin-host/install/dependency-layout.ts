import { join } from 'node:path'
import { InstallError } from './cannot-install.ts'
import type { Dependencies, Dependency } from './dependencies.ts'
import { isInRange, type Registry, type Release, supportsMachine } from './registry.ts'
import { MODULES } from './tree.ts'

/** A package and its folder. */
export type PlacedPackage = {
  /** Its name in the registry, which may differ from the name of its folder. */
  name: string
  version: string
  folder: string
  dependencies: Dependencies
  isOptional: boolean
  /** The package whose folder contains it. */
  outer?: PlacedPackage
  /** Packages in its own folder, by import name. */
  inner: Map<string, PlacedPackage>
}

/** Maximum number of packages that one may require in total. */
const MAX_PACKAGES = 1000
/** Maximum number of dependencies that are prefetched at a time. */
const MAX_PREFETCHED_PACKAGES = 200

type PlacementOptions = {
  /** The package to install, already in its folder. */
  root: PlacedPackage
  registry: Pick<Registry, 'find' | 'fetch'>
  /** Unpacks the archive of a package into a folder. @returns its dependencies */
  unpack: (tarball: Buffer, folder: string) => Promise<Dependencies>
}

/**
 * Places all dependencies of a package below its folder, so that Node resolves each one in a matching version: next to the other
 * dependencies of the package if the name is free there, otherwise inside the folder of the package that requires it.
 * @returns the placed packages
 * @throws InstallError
 */
export async function placeDependencies({ root, registry, unpack }: PlacementOptions): Promise<PlacedPackage[]> {
  const placed: PlacedPackage[] = []
  for (let level = [root]; level.length > 0; ) {
    const next: PlacedPackage[] = []
    prefetch(level, registry)
    // one after the other, for a deterministic layout
    for (const owner of level) {
      if (owner.dependencies.size > MAX_PACKAGES) throw createTooManyPackagesError()
      for (const [name, dependency] of owner.dependencies) {
        const pkg = await placePackage({ root, owner, name, dependency, registry, unpack })
        if (!pkg) continue
        next.push(pkg)
        if (placed.push(pkg) > MAX_PACKAGES) throw createTooManyPackagesError()
      }
    }
    level = next
  }
  return placed
}

const createTooManyPackagesError = () => new InstallError(`The package requires more than ${MAX_PACKAGES} other packages.`)

/** Starts the requests that `placePackage` waits for: many small requests take as long as one. `placePackage` reports failures. */
function prefetch(owners: readonly PlacedPackage[], registry: PlacementOptions['registry']): void {
  let started = 0
  for (const owner of owners)
    for (const [name, dependency] of owner.dependencies) {
      if (started === MAX_PREFETCHED_PACKAGES) return
      if (satisfiesDependency(findVisible(owner, name), dependency)) continue
      started++
      registry
        .find(dependency.name, dependency.range)
        .then((release) => (isForThisMachine(release) ? registry.fetch(release) : undefined))
        .catch(() => undefined)
    }
}

type PlacementRequest = PlacementOptions & { owner: PlacedPackage; name: string; dependency: Dependency }

/** @returns undefined if a matching one is already visible there, or if an optional one is not available */
async function placePackage({
  root,
  owner,
  name,
  dependency,
  registry,
  unpack,
}: PlacementRequest): Promise<PlacedPackage | undefined> {
  const visible = findVisible(owner, name)
  if (satisfiesDependency(visible, dependency)) return undefined
  const isOptional = owner.isOptional || dependency.isOptional
  let release: Release
  let tarball: Buffer
  try {
    release = await registry.find(dependency.name, dependency.range)
    // resolved by a tag
    if (visible?.name === release.name && visible.version === release.version) return undefined
    if (!isForThisMachine(release))
      throw new InstallError(
        `${release.name} ${release.version} does not support this machine (${process.platform}, ${process.arch}).`,
      )
    tarball = await registry.fetch(release)
  } catch (error) {
    if (isOptional && error instanceof InstallError) return undefined
    throw error
  }
  const outer = visible ? owner : root
  const folder = join(outer.folder, MODULES, name)
  const { name: realName, version } = release
  const dependencies = await unpack(tarball, folder)
  const placed: PlacedPackage = { name: realName, version, folder, dependencies, isOptional, outer, inner: new Map() }
  outer.inner.set(name, placed)
  return placed
}

/** The package that Node resolves for a name inside the folder of another. */
function findVisible(start: PlacedPackage, name: string): PlacedPackage | undefined {
  for (let current: PlacedPackage | undefined = start; current; current = current.outer) {
    const pkg = current.inner.get(name)
    if (pkg) return pkg
  }
  return undefined
}

const satisfiesDependency = (pkg: PlacedPackage | undefined, { name, range }: Dependency): boolean =>
  pkg !== undefined && pkg.name === name && isInRange(pkg.version, range)

const isForThisMachine = (release: Release): boolean => supportsMachine(release, process)
