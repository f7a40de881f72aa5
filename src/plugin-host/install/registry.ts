import { createHash, timingSafeEqual } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import semver from 'semver'
import { InstallError } from './cannot-install.ts'
import { isObject, type PackageJson } from './dependencies.ts'
import type { ByteBudget, HttpClient } from './http-client.ts'
import { MAX_PACKED_BYTES, tooLargeMessage } from './tree.ts'

/** A version of a package, as described by its registry. */
export type Release = {
  name: string
  version: string
  /** The URL of its archive. */
  tarball: string
  /** Checksums of the archive: `sha512-...` and others, separated by spaces; or the hexadecimal SHA-1. */
  integrity?: string
  shasum?: string
  isDeprecated: boolean
  /** The supported systems and processors; a name with `!` in front is excluded. */
  os: readonly string[]
  cpu: readonly string[]
}

type Metadata = { tags: ReadonlyMap<string, string>; releases: ReadonlyMap<string, Release> }

/** Maximum bytes of metadata in one installation, and for one package: parsing them blocks everything else. */
const MAX_METADATA_BYTES = 256 * 1024 * 1024
const MAX_PACKAGE_METADATA_BYTES = 32 * 1024 * 1024
/** Maximum number of versions of a package, and of those compared at a time. */
const MAX_VERSIONS = 50_000
const VERSIONS_PER_CHUNK = 200
/** Requests the short form of metadata, which is sufficient; any other from a registry without a short one. */
const METADATA_MEDIA_TYPES = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*'
const ALGORITHMS = ['sha512', 'sha384', 'sha256', 'sha1']

/** A registry of packages, from which all metadata and archives are fetched only once. */
export class Registry {
  readonly #client: HttpClient
  readonly #url: string
  readonly #signal: AbortSignal
  readonly #metadata = new Map<string, Promise<Metadata>>()
  readonly #tarballs = new Map<string, Promise<Buffer>>()
  readonly #metadataBudget: ByteBudget = {
    remaining: MAX_METADATA_BYTES,
    error: () => new InstallError('The response of the registry is too large.'),
  }
  /** The installed files must not exceed this limit when they are packed, either. */
  readonly #archiveBudget = createArchiveBudget()

  /**
   * @param url ends with a slash
   * @param signal aborts requests in progress
   */
  constructor(client: HttpClient, url: string, signal: AbortSignal) {
    this.#client = client
    this.#url = url
    this.#signal = signal
  }

  /**
   * Resolves a range or tag of a package as npm does: the version tagged `latest` if it is in the range, otherwise the highest one that is
   * not deprecated.
   * @throws InstallError if there is none
   */
  async find(name: string, range: string): Promise<Release> {
    const { tags, releases } = await getOrCreate(this.#metadata, name, () => this.#fetchMetadata(name))
    const choice = await this.#choose({ tags, releases }, range)
    if (!choice) throw new InstallError(`${name} has no version ${range || 'at all'} at ${this.#url}.`)
    return choice
  }

  /** Fetches the archive of a version. @throws InstallError if it differs from the description in the registry */
  async fetch(release: Release): Promise<Buffer> {
    const { name, version } = release
    return await getOrCreate(this.#tarballs, `${name}@${version}`, async () => {
      const tarball = await this.#client.fetch(release.tarball, { accept: '*/*', budget: this.#archiveBudget })
      checkIntegrity(tarball, release)
      return tarball
    })
  }

  async #fetchMetadata(name: string): Promise<Metadata> {
    const url = new URL(name.replace('/', '%2f'), this.#url).href
    const budget = limitBudget(this.#metadataBudget, MAX_PACKAGE_METADATA_BYTES)
    const text = (await this.#client.fetch(url, { accept: METADATA_MEDIA_TYPES, isZippable: true, budget })).toString()
    let metadata: unknown
    try {
      metadata = JSON.parse(text)
    } catch {
      // reported below
    }
    if (!isObject(metadata)) throw new InstallError(`${url} returned no valid package metadata.`)
    const tags = Object.entries(isObject(metadata['dist-tags']) ? metadata['dist-tags'] : {})
    const versions = Object.entries(isObject(metadata.versions) ? metadata.versions : {})
    if (versions.length > MAX_VERSIONS) throw new InstallError(`${name} has more than ${MAX_VERSIONS} versions.`)
    const releases = new Map<string, Release>()
    await this.#processInChunks(versions, ([version, entry]) => {
      const release = readRelease(name, version, entry)
      if (release) releases.set(version, release)
    })
    return { tags: new Map(tags.filter((tag): tag is [string, string] => typeof tag[1] === 'string')), releases }
  }

  async #choose({ tags, releases }: Metadata, range: string): Promise<Release | undefined> {
    // a tag that reads like a range is ignored
    if (semver.validRange(range, LOOSE) === null) return releases.get(tags.get(range) ?? '')
    const latest = tags.get('latest')
    if (latest !== undefined && releases.has(latest) && (range === '' || range === '*' || isInRange(latest, range)))
      return releases.get(latest)
    const requiredRange = new semver.Range(range, LOOSE)
    let best: Release | undefined
    await this.#processInChunks(releases.values(), (release) => {
      if (requiredRange.test(release.version) && (!best || isBetter(release, best))) best = release
    })
    return best
  }

  /** Processes many items, and yields to other work in between. */
  async #processInChunks<Item>(items: Iterable<Item>, processItem: (item: Item) => void): Promise<void> {
    let count = 0
    for (const item of items) {
      processItem(item)
      if (++count % VERSIONS_PER_CHUNK !== 0) continue
      await setImmediate()
      this.#signal.throwIfAborted()
    }
  }
}

/** A budget of this number of bytes that also draws on another one. */
function limitBudget(all: ByteBudget, bytes: number): ByteBudget {
  let ownRemaining = bytes
  return {
    get remaining() {
      return Math.min(ownRemaining, all.remaining)
    },
    set remaining(remaining) {
      const used = this.remaining - remaining
      ownRemaining -= used
      all.remaining -= used
    },
    error: all.error,
  }
}

/** The budget for archives in one installation. */
export const createArchiveBudget = (): ByteBudget => ({
  remaining: MAX_PACKED_BYTES,
  error: () => new InstallError(tooLargeMessage),
})

function getOrCreate<Value>(cache: Map<string, Promise<Value>>, key: string, create: () => Promise<Value>): Promise<Value> {
  const promise = cache.get(key) ?? create()
  cache.set(key, promise)
  return promise
}

function readRelease(name: string, version: string, entry: unknown): Release | undefined {
  if (!isObject(entry) || !isObject(entry.dist) || semver.valid(version, { loose: true }) === null) return undefined
  const { tarball, integrity, shasum } = entry.dist
  if (typeof tarball !== 'string' || !/^https?:$/.test(URL.parse(tarball)?.protocol ?? '')) return undefined
  return {
    name,
    version,
    tarball,
    ...(typeof integrity === 'string' && { integrity }),
    ...(typeof shasum === 'string' && { shasum }),
    isDeprecated: typeof entry.deprecated === 'string' && entry.deprecated !== '',
    os: readNames(entry, 'os'),
    cpu: readNames(entry, 'cpu'),
  }
}

function readNames(entry: PackageJson, field: 'os' | 'cpu'): string[] {
  const names = typeof entry[field] === 'string' ? [entry[field]] : entry[field]
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string' && name !== 'any') : []
}

const LOOSE = { loose: true }

/** Whether a version is preferred to another: versions that are not deprecated first, then the higher one. */
const isBetter = (candidate: Release, other: Release): boolean =>
  candidate.isDeprecated === other.isDeprecated ? semver.compareLoose(candidate.version, other.version) > 0 : other.isDeprecated

/** Whether a version is in a range; no version is in a tag. */
export const isInRange = (version: string, range: string): boolean => semver.satisfies(version, range, { loose: true })

/** Whether a package supports a system and a processor. */
export function supportsMachine({ os, cpu }: Pick<Release, 'os' | 'cpu'>, machine: { platform: string; arch: string }): boolean {
  const allows = (names: readonly string[], name: string): boolean => {
    const allowed = names.filter((candidate) => !candidate.startsWith('!'))
    return !names.includes(`!${name}`) && (allowed.length === 0 || allowed.includes(name))
  }
  return allows(os, machine.platform) && allows(cpu, machine.arch)
}

function checkIntegrity(tarball: Buffer, { name, version, integrity, shasum }: Release): void {
  const hashes = (integrity ?? '').split(/\s+/).map((text) => /^(\w+)-([A-Za-z0-9+/=]+)/.exec(text) ?? [])
  const strongest = ALGORITHMS.find((algorithm) => hashes.some(([, candidate]) => candidate === algorithm))
  const expected = strongest
    ? hashes.filter(([, candidate]) => candidate === strongest).map(([, , digest = '']) => Buffer.from(digest, 'base64'))
    : shasum === undefined
      ? []
      : [Buffer.from(shasum, 'hex')]
  if (expected.length === 0) return
  const actual = createHash(strongest ?? 'sha1')
    .update(tarball)
    .digest()
  if (!expected.some((digest) => digest.length === actual.length && timingSafeEqual(digest, actual)))
    throw new InstallError(`The archive of ${name} ${version} does not match the metadata of its registry.`)
}
