import { fileURLToPath } from 'node:url'
import validateName from 'validate-npm-package-name'
import type { Errors } from '../../kit/request/errors.ts'
import { decodeUriComponent } from '../../kit/values/data-uri.ts'
import { ReasonedError } from '../../kit/values/message.ts'
import { valueErrors } from '../../kit/values/value-errors.ts'
import { pluginErrors } from '../plugin-errors.ts'

/** The request to install a package, as the user enters it. */
export type PackageBody = { packagename?: string | null; version?: string | null; url?: string | null }

/** Credentials for a registry or for the host of a package. */
export type Credentials = { username: string; password: string }

/** The source of a package. URLs are without credentials. */
export type Source =
  /** A version, range of versions or tag; without a registry, the configured one of npm. */
  | { kind: 'registry'; name: string; version: string; registry?: string }
  | { kind: 'archive'; url: string }
  /** An archive or a folder on this machine. */
  | { kind: 'path'; path: string }
  /** A branch, tag or commit, or `semver:` with a range of tags; empty for the repository's default branch. */
  | { kind: 'repository'; url: string; revision: string }

/** A package to install. */
export type PackageRequest = {
  source: Source
  /** The required name of the package. */
  name?: string
  /** The text of the request that is stored and shown. */
  requirement: string
  /** For the registry, archive or repository. */
  credentials?: Credentials
  /** Strings that must never be shown. */
  secrets: readonly string[]
}

const VCS = ['git+https:', 'git+http:', 'git+ssh:', 'git+file:']
/** Narrower than npm's grammar: it cannot begin like a path. */
const NAME = /^(@[a-z0-9~][^/]*\/)?[a-z0-9~][^/]*$/
/** A version, a range of versions without spaces, or a tag. */
const VERSION = /^[\w~^<>=*][\w.~^<>=*+|-]{0,99}$/
/** The revision in a repository URL: a branch, tag or commit, or `semver:` with a range. */
const REVISION = /^#(semver:)?[\w~^<>=*][\w.~^<>=*+|/-]{0,199}$/
const ARCHIVE = /\.(tgz|tar|tar\.gz)$/i

const invalidName = pluginErrors.invalid_package_name
const invalidVersion = pluginErrors.invalid_package_version

/**
 * Parses a request to install a package.
 * @returns the request, or its errors by field
 */
export function readPackageRequest(body: PackageBody): { request: PackageRequest } | { errors: Errors } {
  const packagename = body.packagename?.trim() ?? ''
  const url = body.url?.trim() ?? ''
  const errors: Errors = {}
  if (!packagename && !url) {
    const text = pluginErrors.package_or_url_required
    return { errors: { packagename: [text], url: [text] } }
  }
  const spec = packagename ? readName(packagename, body.version?.trim() ?? '', errors) : undefined
  const origin = url ? readUrl(url, errors) : undefined
  if (origin && 'registry' in origin && !packagename) errors.packagename = [pluginErrors.registry_package_required]
  if (Object.keys(errors).length) return { errors }
  if (origin && 'source' in origin) return { request: { ...origin, ...(spec && { name: spec.name }) } }
  const { name, version } = spec as PackageSpec
  const source: Source = { kind: 'registry', name, version, ...(origin && { registry: origin.registry }) }
  const requirement = `${name}@${version}${origin ? ` from ${origin.registry}` : ''}`
  const { credentials, secrets = [] } = origin ?? {}
  return { request: { source, name, requirement, secrets, ...(credentials && { credentials }) } }
}

type PackageSpec = { name: string; version: string }

/** Reads a name of npm's grammar, with the version after `@` or `==`, or in its own field. An empty version means the latest. */
function readName(text: string, version: string, errors: Errors): PackageSpec | undefined {
  const [name = '', ...versions] = splitName(text)
  const embeddedVersion = versions[0]
  if (!validateName(name).validForNewPackages || !NAME.test(name)) errors.packagename = [invalidName]
  else if (embeddedVersion !== undefined && !isVersion(embeddedVersion)) errors.packagename = [invalidVersion]
  if (version !== '' && !isVersion(version)) errors.version = [invalidVersion]
  else if (version !== '' && embeddedVersion !== undefined && embeddedVersion !== version)
    errors.version = [pluginErrors.other_package_version]
  return { name, version: version || embeddedVersion || 'latest' }
}

/** Splits a name from the version after its `@` or `==`. The `@` of a scope is no separator. */
function splitName(text: string): string[] {
  const separatorIndex = text.slice(1).search(/@|==/) + 1
  if (separatorIndex === 0) return [text]
  return [text.slice(0, separatorIndex), text.slice(separatorIndex + (text[separatorIndex] === '@' ? 1 : 2))]
}

// a string that ends like an archive would be a file path
const isVersion = (text: string): boolean => VERSION.test(text) && !ARCHIVE.test(text)

type UrlCredentials = Pick<PackageRequest, 'credentials' | 'secrets'>
type RegistryAccess = UrlCredentials & { registry: string }
type PackageLocation = Omit<PackageRequest, 'name'>

function readUrl(text: string, errors: Errors): RegistryAccess | PackageLocation | undefined {
  const url = /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text)
  if (!url) {
    errors.url = [valueErrors.invalid_url]
    return undefined
  }
  try {
    if (url.protocol === 'file:') return readFileUrl(url, text)
    if (VCS.includes(url.protocol)) return readRepositoryUrl(url)
    if (url.protocol === 'http:' || url.protocol === 'https:') return readWebUrl(url)
    throw new ReasonedError(pluginErrors.package_url_scheme)
  } catch (error) {
    if (!(error instanceof ReasonedError)) throw error
    errors.url = [error.reason]
    return undefined
  }
}

function readFileUrl(url: URL, text: string): PackageLocation {
  // a path without a leading slash would be relative to the files of the service
  if (!/^file:\//i.test(text) || url.host || url.search || url.hash) throw new ReasonedError(pluginErrors.package_file_url)
  let path: string
  try {
    path = fileURLToPath(url)
  } catch {
    throw new ReasonedError(pluginErrors.package_file_url)
  }
  if (/\p{Cc}/u.test(path)) throw new ReasonedError(pluginErrors.package_file_path)
  return { source: { kind: 'path', path }, requirement: url.href, secrets: [] }
}

function readRepositoryUrl(url: URL): PackageLocation {
  if (!/^git\+\w+:\/\/.*\/[^/]/.test(url.href)) throw new ReasonedError(valueErrors.invalid_url)
  if (url.hash && !REVISION.test(url.hash)) throw new ReasonedError(pluginErrors.package_revision)
  if (url.search) throw new ReasonedError(pluginErrors.repository_with_query)
  // the account of SSH is no secret: a key authenticates it
  if (url.protocol === 'git+ssh:') {
    if (url.password) throw new ReasonedError(pluginErrors.ssh_with_password)
    if (/^-/.test(url.hostname) || /^-/.test(decode(url.username))) throw new ReasonedError(valueErrors.invalid_url)
    return { source: toRepositorySource(url), requirement: url.href, secrets: [] }
  }
  const urlCredentials = extractCredentials(url)
  return { ...urlCredentials, source: toRepositorySource(url), requirement: url.href }
}

function toRepositorySource({ href, hash }: URL): Source {
  const url = href.slice('git+'.length, hash ? -hash.length : undefined)
  return { kind: 'repository', url, revision: hash.slice(1) }
}

function readWebUrl(url: URL): RegistryAccess | PackageLocation {
  url.hash = ''
  const urlCredentials = extractCredentials(url)
  if (!/\.tgz$/i.test(url.pathname)) {
    if (url.search) throw new ReasonedError(pluginErrors.registry_with_query)
    return { ...urlCredentials, registry: url.href.endsWith('/') ? url.href : `${url.href}/` }
  }
  // a query may contain a key, as in signed URLs
  const query = url.search.slice(1)
  const requirement = url.origin + url.pathname
  const secrets = query ? [...urlCredentials.secrets, query, ...new URLSearchParams(query).values()] : urlCredentials.secrets
  const source: Source = { kind: 'archive', url: url.href }
  return { ...urlCredentials, source, requirement, secrets: secrets.filter((secret) => secret !== '') }
}

/** Removes name and password from a URL. */
function extractCredentials(url: URL): UrlCredentials {
  const { username, password } = url
  if (!username && !password) return { secrets: [] }
  url.username = ''
  url.password = ''
  const credentials = { username: decode(username), password: decode(password) }
  const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  // as entered, decoded, and encoded for git
  const all = [basic, ...[password, username].flatMap((text) => [text, decode(text), encodeURIComponent(decode(text))])]
  return { credentials, secrets: [...new Set(all)].filter((secret) => secret !== '') }
}

const decode = (text: string): string => decodeUriComponent(text) ?? text

/** Removes the secrets of a request from a string. */
export function redact(text: string, { secrets }: Pick<PackageRequest, 'secrets'>): string {
  const longestFirst = [...secrets].sort((left, right) => right.length - left.length)
  return longestFirst.reduce((result, secret) => result.replaceAll(secret, '***'), text)
}
