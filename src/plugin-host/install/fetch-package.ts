import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../../make-folder.ts'
import type { NpmCommand } from './npm-client.ts'
import { runNpm } from './npm-client.ts'
import { type PackageHead, readPackage } from './package-entry.ts'
import { type PackageRequest, redact } from './package-request.ts'
import { digestOf, MODULES, packTree } from './tree.ts'

/** A package that was fetched: packed with all that it needs, and lying in a folder of its own. */
export type FetchedPackage = PackageHead & {
  folder: string
  tarball: Buffer
  digest: string
  /** What npm said, without secrets. */
  output: string
}

/** Why a package cannot be installed, in lines for people, without secrets. */
export class CannotInstall extends Error {
  readonly lines: readonly string[]
  /** The field of the request that is at fault; without one, the request as a whole. */
  readonly field: 'packagename' | undefined

  constructor(text: string, field?: 'packagename') {
    super(text)
    this.lines = text.split('\n').filter((line) => line.trim() !== '')
    this.field = field
  }
}

/** npm's settings for this one time, in a folder that is npm's own. */
const USER_CONFIG = 'user-config'

export type Fetching = {
  npm: NpmCommand
  /** The folder in which it makes one of this name. */
  root: string
  name: string
  seconds: number
  signal?: AbortSignal
}

/**
 * Fetches a package with the real npm, without running any of its scripts, and looks at it. The folder is to be deleted by the caller.
 * @throws CannotInstall when npm fails, or what it fetched is no plugin; nothing is left behind then
 */
export async function fetchPackage(request: PackageRequest, fetching: Fetching): Promise<FetchedPackage> {
  const folder = join(fetching.root, fetching.name)
  try {
    const output = await install(request, folder, fetching)
    const name = await nameIn(folder)
    const head = await readPackage(join(folder, MODULES, name))
    // where it lies goes by its name
    if (head.name !== name) throw new CannotInstall('The package calls itself by another name than npm knows it by.')
    if (request.name !== undefined && request.name !== head.name)
      throw new CannotInstall(`The package there is called ${head.name}.`, 'packagename')
    const tarball = await packTree(folder)
    return { ...head, folder, tarball, digest: digestOf(tarball), output }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (error instanceof CannotInstall) throw error
    throw new CannotInstall(redact((error as Error).message, request))
  }
}

async function install(request: PackageRequest, folder: string, { npm, root, seconds, signal }: Fetching): Promise<string> {
  // what is npm's own lies beside what it installs, and goes at once
  const own = `${folder}.npm`
  makeFolder(folder, 0o700)
  makeFolder(own, 0o700)
  try {
    await writeFile(join(own, USER_CONFIG), credentialLines(request), { mode: 0o600 })
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    const result = await runNpm(npm, [...flags(request, folder, own, seconds), '--', request.spec], {
      folder,
      environment: environmentOf(request, own),
      seconds,
      ...(signal && { signal }),
    })
    const output = redact(result.output, request).replaceAll(folder, '.').replaceAll(root, '.')
    if (!result.isDone) throw new CannotInstall(output || 'npm failed and said nothing.')
    return output
  } finally {
    await rm(own, { recursive: true, force: true })
  }
}

function flags({ registry }: PackageRequest, folder: string, own: string, seconds: number): string[] {
  return [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--no-progress',
    '--no-color',
    '--no-bin-links',
    '--no-package-lock',
    '--save',
    '--omit=dev',
    // what plugins are written against is the service's own
    '--omit=peer',
    '--legacy-peer-deps',
    // a plugin reads its own folder only: what it needs lies inside
    '--install-strategy=nested',
    '--install-links',
    '--logs-max=0',
    '--fetch-retries=1',
    '--fetch-retry-mintimeout=1000',
    `--fetch-timeout=${seconds * 1000}`,
    `--prefix=${folder}`,
    `--cache=${join(own, 'cache')}`,
    `--userconfig=${join(own, USER_CONFIG)}`,
    `--globalconfig=${join(own, 'global-config')}`,
    ...(registry === undefined ? [] : [`--registry=${registry}`]),
  ]
}

/** npm finds who we are by where it asks, so that it stands neither on its command line nor in what it writes. */
function credentialLines({ credentials, address }: PackageRequest): string {
  if (!credentials || !address || !/^https?:/.test(address)) return ''
  const { host, pathname } = new URL(address)
  const { username, password } = credentials
  const place = `//${host}${pathname}`
  // a name alone is a token
  if (!password) return `${place}:_authToken=${quoted(username)}\n`
  return `${place}:_auth=${quoted(Buffer.from(`${username}:${password}`).toString('base64'))}\n`
}

const quoted = (text: string): string => JSON.stringify(text)

function environmentOf({ credentials, address }: PackageRequest, home: string): Record<string, string> {
  const environment: Record<string, string> = {
    HOME: home,
    USERPROFILE: home,
    TMPDIR: home,
    TEMP: home,
    // npm starts itself for repositories, without our flags
    npm_config_ignore_scripts: 'true',
    npm_config_userconfig: join(home, USER_CONFIG),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'echo',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes -oStrictHostKeyChecking=accept-new',
  }
  if (!credentials || !address?.startsWith('git+')) return environment
  const url = new URL(address.slice('git+'.length))
  const plain = `${url.origin}/`
  url.username = encodeURIComponent(credentials.username)
  url.password = encodeURIComponent(credentials.password)
  url.pathname = '/'
  url.hash = ''
  return { ...environment, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: `url.${url.href}.insteadOf`, GIT_CONFIG_VALUE_0: plain }
}

/** The name under which npm put the package down. */
async function nameIn(folder: string): Promise<string> {
  const head = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { dependencies?: Record<string, string> }
  const [name, ...others] = Object.keys(head.dependencies ?? {})
  if (name === undefined || others.length > 0) throw new CannotInstall('npm installed nothing.')
  return name
}
