import { fileURLToPath } from 'node:url'
import validateName from 'validate-npm-package-name'
import { type Errors, texts } from '../../kit/request/errors.ts'

/** What somebody asks to be installed, as they say it. */
export type Asked = { packagename?: string | null; version?: string | null; url?: string | null }

/** Who one is at a registry, or where a package lies. */
export type Credentials = { username: string; password: string }

/** What npm is to install. */
export type PackageRequest = {
  /** As npm is told, behind `--`: never an option, and without credentials. */
  spec: string
  /** The name that the package has to have. */
  name?: string
  /** What is kept and shown of the request. */
  requirement: string
  /** The registry that knows the package, without credentials; without one, that of npm. */
  registry?: string
  /** The address that the credentials are for, without them. */
  address?: string
  credentials?: Credentials
  /** Texts that must be shown nowhere. */
  secrets: readonly string[]
}

const VCS = ['git+https:', 'git+http:', 'git+ssh:', 'git+file:']
/** Narrower than npm's grammar: it begins like no option and no path. */
const NAME = /^(@[a-z0-9~][^/]*\/)?[a-z0-9~][^/]*$/
/** A version, a range of versions without blanks, or a tag. */
const VERSION = /^[\w~^<>=*][\w.~^<>=*+|-]{0,99}$/
/** What of a repository: a branch, tag or commit, or `semver:` with a range. */
const REVISION = /^#(semver:)?[\w~^<>=*][\w.~^<>=*+|/-]{0,199}$/
const ARCHIVE = /\.(tgz|tar|tar\.gz)$/i

const notAName = 'This is no name of a package of npm.'
const notAVersion = 'This is no version, range of versions or tag.'

/**
 * Understands what is to be installed.
 * @returns what npm is told, or what is wrong by field
 */
export function readPackageRequest(asked: Asked): { request: PackageRequest } | { errors: Errors } {
  const packagename = asked.packagename?.trim() ?? ''
  const url = asked.url?.trim() ?? ''
  const errors: Errors = {}
  if (!packagename && !url) {
    const text = 'Either packagename of URL must be provided'
    return { errors: { packagename: [text], url: [text] } }
  }
  const named = packagename ? readName(packagename, asked.version?.trim() ?? '', errors) : undefined
  const place = url ? readUrl(url, errors) : undefined
  if (place && 'registry' in place && !packagename) errors.packagename = ['A registry needs the name of the package.']
  if (Object.keys(errors).length) return { errors }
  const name = named && { name: named.name }
  if (place && 'spec' in place) return { request: { ...place, ...name } }
  const spec = `${named?.name}@${named?.version}`
  const requirement = place ? `${spec} from ${place.registry}` : spec
  return { request: { secrets: [], ...place, ...name, spec, requirement } }
}

type Named = { name: string; version: string }

/** A name of npm's grammar, with the version behind `@` or `==`, or in a field of its own. Blank is the latest. */
function readName(text: string, version: string, errors: Errors): Named | undefined {
  const [name = '', ...versions] = splitName(text)
  const own = versions[0]
  if (!validateName(name).validForNewPackages || !NAME.test(name)) errors.packagename = [notAName]
  else if (own !== undefined && !isVersion(own)) errors.packagename = [notAVersion]
  if (version !== '' && !isVersion(version)) errors.version = [notAVersion]
  else if (version !== '' && own !== undefined && own !== version) errors.version = ['packagename names another version.']
  return { name, version: version || own || 'latest' }
}

/** A name, and what stands behind its `@` or `==`. The `@` of a scope is none. */
function splitName(text: string): string[] {
  const at = text.slice(1).search(/@|==/) + 1
  if (at === 0) return [text]
  return [text.slice(0, at), text.slice(at + (text[at] === '@' ? 1 : 2))]
}

// one that ends like an archive would be the path of a file
const isVersion = (text: string): boolean => VERSION.test(text) && !ARCHIVE.test(text)

type Place = Omit<PackageRequest, 'name' | 'spec' | 'requirement'> & { registry: string }
type Located = Omit<PackageRequest, 'name' | 'registry'>

function readUrl(text: string, errors: Errors): Place | Located | undefined {
  const url = /[\s\p{Cc}\\]/u.test(text) ? null : URL.parse(text)
  if (!url) {
    errors.url = [texts.url]
    return undefined
  }
  try {
    if (url.protocol === 'file:') return readFile(url, text)
    if (VCS.includes(url.protocol)) return readRepository(url)
    if (url.protocol === 'http:' || url.protocol === 'https:') return readWeb(url)
    throw new Error('Allowed are git+https, git+http, git+ssh, git+file, file, http and https.')
  } catch (error) {
    errors.url = [(error as Error).message]
    return undefined
  }
}

function readFile(url: URL, text: string): Located {
  // a path without a slash in front would be that of a file beside others of ours
  if (!/^file:\//i.test(text) || url.host || url.search || url.hash) throw new Error('A file is named as file:///path.')
  let path: string
  try {
    path = fileURLToPath(url)
  } catch {
    throw new Error('A file is named as file:///path.')
  }
  // npm reads these as parts of an address
  if (/[%#?\p{Cc}]/u.test(path)) throw new Error('The path of a file may not hold any of % # ? or control characters.')
  return { spec: path, requirement: url.href, secrets: [] }
}

function readRepository(url: URL): Located {
  if (!/^git\+\w+:\/\/.*\/[^/]/.test(url.href)) throw new Error(texts.url)
  if (url.hash && !REVISION.test(url.hash)) throw new Error('Behind # stands a branch, a tag, a commit or semver: with a range.')
  if (url.search) throw new Error('The address of a repository has no query.')
  // the account of SSH is no secret: it proves who it is by a key
  if (url.protocol === 'git+ssh:') {
    if (url.password) throw new Error('SSH takes no password.')
    if (/^-/.test(url.hostname) || /^-/.test(decode(url.username))) throw new Error(texts.url)
    return { spec: url.href, requirement: url.href, secrets: [] }
  }
  const known = takeCredentials(url)
  return { ...known, spec: url.href, requirement: url.href }
}

function readWeb(url: URL): Place | Located {
  url.hash = ''
  const known = takeCredentials(url)
  if (!/\.tgz$/i.test(url.pathname)) {
    if (url.search) throw new Error('The address of a registry has no query.')
    return { ...known, registry: url.href.endsWith('/') ? url.href : `${url.href}/` }
  }
  // a query may well be a key, as those of signed addresses are
  const query = url.search.slice(1)
  const requirement = url.origin + url.pathname
  const secrets = query ? [...known.secrets, query, ...new URLSearchParams(query).values()] : known.secrets
  return { ...known, spec: url.href, requirement, secrets: secrets.filter((secret) => secret !== '') }
}

/** Takes name and password out of an address. */
function takeCredentials(url: URL): Pick<PackageRequest, 'credentials' | 'address' | 'secrets'> {
  const { username, password } = url
  if (!username && !password) return { secrets: [] }
  url.username = ''
  url.password = ''
  const credentials = { username: decode(username), password: decode(password) }
  const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
  // as they came, as they are meant, and as git is told them
  const all = [basic, ...[password, username].flatMap((text) => [text, decode(text), encodeURIComponent(decode(text))])]
  return { credentials, address: url.href, secrets: [...new Set(all)].filter((secret) => secret !== '') }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A text without the secrets of a request. */
export function redact(text: string, { secrets }: Pick<PackageRequest, 'secrets'>): string {
  const longestFirst = [...secrets].sort((one, other) => other.length - one.length)
  return longestFirst.reduce((left, secret) => left.replaceAll(secret, '***'), text)
}
