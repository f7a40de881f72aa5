import { createHash, timingSafeEqual } from 'node:crypto'
import semver from 'semver'
import { CannotInstall } from './cannot-install.ts'
import { type Head, isObject } from './dependencies.ts'
import type { ByteBudget, HttpClient } from './http-client.ts'
import { MOST_BYTES, tooLarge } from './tree.ts'

/** A version of a package, as its registry describes it. */
export type Release = {
  name: string
  version: string
  /** The address of its archive. */
  tarball: string
  /** Checksums of the archive: `sha512-...` and others, separated by blanks; or the hexadecimal SHA-1. */
  integrity?: string
  shasum?: string
  isDeprecated: boolean
  /** The systems and processors that it is for; a name with `!` in front: that it is not for. */
  os: readonly string[]
  cpu: readonly string[]
}

type Metadata = { tags: ReadonlyMap<string, string>; releases: ReadonlyMap<string, Release> }

/** Bytes of metadata that one installation may fetch. */
const MAX_METADATA_BYTES = 256 * 1024 * 1024
/** The short form of metadata, which is all that is needed; any other where a registry has no short one. */
const METADATA = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*'
const ALGORITHMS = ['sha512', 'sha384', 'sha256', 'sha1']

/** A registry of packages, of which each metadata and each archive is fetched once. */
export class Registry {
  readonly #client: HttpClient
  readonly #address: string
  readonly #metadata = new Map<string, Promise<Metadata>>()
  readonly #tarballs = new Map<string, Promise<Buffer>>()
  readonly #metadataBudget: ByteBudget = {
    left: MAX_METADATA_BYTES,
    error: () => new CannotInstall('The registry sends too much.'),
  }
  /** What is installed has to fit too once it is packed. */
  readonly #archiveBudget = archiveBudget()

  /** @param address ends with a slash */
  constructor(client: HttpClient, address: string) {
    this.#client = client
    this.#address = address
  }

  /**
   * The version of a package that a range or tag stands for, as npm chooses it: the one tagged `latest` where the range has it, else the
   * highest one that is not deprecated.
   * @throws CannotInstall where there is none
   */
  async find(name: string, range: string): Promise<Release> {
    const { tags, releases } = await once(this.#metadata, name, () => this.#fetchMetadata(name))
    const found = chooseRelease({ tags, releases }, range)
    if (!found) throw new CannotInstall(`${name} has no version ${range || 'at all'} at ${this.#address}.`)
    return found
  }

  /** The archive of a version. @throws CannotInstall where it is not the one that the registry describes */
  async fetch(release: Release): Promise<Buffer> {
    const { name, version } = release
    return await once(this.#tarballs, `${name}@${version}`, async () => {
      const tarball = await this.#client.fetch(release.tarball, { accept: '*/*', budget: this.#archiveBudget })
      checkIntegrity(tarball, release)
      return tarball
    })
  }

  async #fetchMetadata(name: string): Promise<Metadata> {
    const address = new URL(name.replace('/', '%2f'), this.#address).href
    const options = { accept: METADATA, isZippable: true, budget: this.#metadataBudget }
    const text = (await this.#client.fetch(address, options)).toString()
    let metadata: unknown
    try {
      metadata = JSON.parse(text)
    } catch {
      // said below
    }
    if (!isObject(metadata)) throw new CannotInstall(`${address} answers with what is no metadata of a package.`)
    const tags = Object.entries(isObject(metadata['dist-tags']) ? metadata['dist-tags'] : {})
    const releases = Object.entries(isObject(metadata.versions) ? metadata.versions : {})
      .map(([version, head]) => readRelease(name, version, head))
      .filter((release) => release !== undefined)
    return {
      tags: new Map(tags.filter((tag): tag is [string, string] => typeof tag[1] === 'string')),
      releases: new Map(releases.map((release) => [release.version, release])),
    }
  }
}

/** Bytes of archives that one installation may fetch. */
export const archiveBudget = (): ByteBudget => ({ left: MOST_BYTES, error: () => new CannotInstall(tooLarge) })

function once<Value>(memory: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>): Promise<Value> {
  const made = memory.get(key) ?? make()
  memory.set(key, made)
  return made
}

function readRelease(name: string, version: string, head: unknown): Release | undefined {
  if (!isObject(head) || !isObject(head.dist) || semver.valid(version, { loose: true }) === null) return undefined
  const { tarball, integrity, shasum } = head.dist
  if (typeof tarball !== 'string' || !/^https?:$/.test(URL.parse(tarball)?.protocol ?? '')) return undefined
  return {
    name,
    version,
    tarball,
    ...(typeof integrity === 'string' && { integrity }),
    ...(typeof shasum === 'string' && { shasum }),
    isDeprecated: typeof head.deprecated === 'string' && head.deprecated !== '',
    os: namesIn(head, 'os'),
    cpu: namesIn(head, 'cpu'),
  }
}

function namesIn(head: Head, field: 'os' | 'cpu'): string[] {
  const names = typeof head[field] === 'string' ? [head[field]] : head[field]
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string' && name !== 'any') : []
}

function chooseRelease({ tags, releases }: Metadata, range: string): Release | undefined {
  // a tag that reads like a range is none
  if (semver.validRange(range, { loose: true }) === null) return releases.get(tags.get(range) ?? '')
  const latest = tags.get('latest')
  if (latest !== undefined && releases.has(latest) && (range === '' || range === '*' || isInRange(latest, range)))
    return releases.get(latest)
  const versions = [...releases.values()].filter(({ version }) => isInRange(version, range))
  const current = versions.filter(({ isDeprecated }) => !isDeprecated)
  return (current.length ? current : versions).sort((one, other) => semver.compareLoose(other.version, one.version))[0]
}

/** Whether a version is one of a range; no version is one of a tag. */
export const isInRange = (version: string, range: string): boolean => semver.satisfies(version, range, { loose: true })

/** Whether a package is for a system and a processor. */
export function isFor({ os, cpu }: Pick<Release, 'os' | 'cpu'>, machine: { platform: string; arch: string }): boolean {
  const allows = (names: readonly string[], name: string): boolean => {
    const allowed = names.filter((one) => !one.startsWith('!'))
    return !names.includes(`!${name}`) && (allowed.length === 0 || allowed.includes(name))
  }
  return allows(os, machine.platform) && allows(cpu, machine.arch)
}

function checkIntegrity(tarball: Buffer, { name, version, integrity, shasum }: Release): void {
  const given = (integrity ?? '').split(/\s+/).map((text) => /^(\w+)-([A-Za-z0-9+/=]+)/.exec(text) ?? [])
  const strongest = ALGORITHMS.find((algorithm) => given.some(([, one]) => one === algorithm))
  const expected = strongest
    ? given.filter(([, one]) => one === strongest).map(([, , digest = '']) => Buffer.from(digest, 'base64'))
    : shasum === undefined
      ? []
      : [Buffer.from(shasum, 'hex')]
  if (expected.length === 0) return
  const actual = createHash(strongest ?? 'sha1')
    .update(tarball)
    .digest()
  if (!expected.some((digest) => digest.length === actual.length && timingSafeEqual(digest, actual)))
    throw new CannotInstall(`The archive of ${name} ${version} is not the one that its registry describes.`)
}
