import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import semver from 'semver'
import { InstallError } from './cannot-install.ts'

/** A package in a registry, with a range of versions or a tag. */
export type Dependency = {
  /** Its name in the registry. */
  name: string
  /** A range of versions, or the name of a tag. An empty range matches any version. */
  range: string
  isOptional: boolean
}

/** The unchecked content of a `package.json`. */
export type PackageJson = Readonly<Record<string, unknown>>

/** The dependencies of one package by import name, sorted. */
export type Dependencies = ReadonlyMap<string, Dependency>

/** Maximum size of a package.json, and of an npm-shrinkwrap.json, in bytes. */
const MAX_PACKAGE_JSON_BYTES = 1024 * 1024
const MAX_SHRINKWRAP_BYTES = 4 * 1024 * 1024
/** A name that is safe as a folder and in a URL. Old names contain capitals. */
const PACKAGE_NAME = /^(?=.{1,214}$)(@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i
const TAG = /^[a-z0-9][\w.-]{0,99}$/i
const ARCHIVE = /\.(tgz|tar|tar\.gz)$/i
/** The form of archive URLs in a registry, on any host. */
const REGISTRY_ARCHIVE = /^https?:\/\/[^/?#]+\/([^?#]+\/)?-\/([^/?#]+\/)?[^/?#]+\.tgz$/i
/** The package.json of a bundled package, and of a member of workspaces, which may be anywhere. */
const BUNDLED = /^(node_modules\/(@[^/]+\/)?[^/]+\/)+package\.json$/
const MEMBER = /\/package\.json$/

/**
 * Reads the `package.json` of an unpacked package.
 * @throws InstallError if it is missing or unreadable
 */
export async function readPackageJson(folder: string): Promise<PackageJson> {
  const packageJson = await readJson(join(folder, 'package.json'), MAX_PACKAGE_JSON_BYTES)
  if (!isObject(packageJson)) throw new InstallError('The package has no valid package.json.')
  return packageJson
}

/**
 * Reads the dependencies of an unpacked package, each of which has to be a package in a registry. Bundled packages are checked by the same
 * rule and deleted: they are installed like all others.
 * @throws InstallError with the first dependency that is not
 */
export async function extractDependencies(folder: string): Promise<Dependencies> {
  const packageJson = await readPackageJson(folder)
  const dependencies = readDependencies(packageJson)
  const isInside = isEmpty(packageJson.workspaces) ? BUNDLED : MEMBER
  for (const path of await readdir(folder, { recursive: true })) {
    if (!isInside.test(path.replaceAll('\\', '/'))) continue
    const inner = await readJson(join(folder, path), MAX_PACKAGE_JSON_BYTES)
    if (isObject(inner)) readDependencies(inner)
  }
  await checkShrinkwrap(folder, describePackage(packageJson))
  await rm(join(folder, 'node_modules'), { recursive: true, force: true })
  return dependencies
}

/**
 * The dependencies of a package that have to be installed with it. Development dependencies are neither followed nor checked.
 * @throws InstallError with the first dependency that is not a package in a registry
 */
export function readDependencies(packageJson: PackageJson): Dependencies {
  const owner = describePackage(packageJson)
  const peers = readTable(packageJson, owner, 'peerDependencies', false)
  const required = readTable(packageJson, owner, 'dependencies', false)
  const optional = readTable(packageJson, owner, 'optionalDependencies', true)
  const all = new Map([...required, ...optional])
  checkOverrides(packageJson.overrides, owner, 0)
  checkWorkspaces(packageJson.workspaces, owner)
  for (const field of ['bundleDependencies', 'bundledDependencies'])
    checkBundled(packageJson[field], owner, field, (name) => all.has(name) || peers.has(name))
  return new Map([...all].sort(([left], [right]) => (left < right ? -1 : 1)))
}

/** Whether a string selects a package in a registry: a range of versions or a tag. Neither has a slash or a colon. */
export const isRegistryRange = (text: string): boolean =>
  text.length <= 1000 &&
  !/[/\\:]/.test(text) &&
  !ARCHIVE.test(text) &&
  (semver.validRange(text, LOOSE) !== null || TAG.test(text))

const LOOSE = { loose: true }

/** Reads a dependency from a registry, under its own name or an alias (`npm:name@range`). */
function readDependency(name: string, text: unknown): Omit<Dependency, 'isOptional'> | undefined {
  if (typeof text !== 'string' || !isPackageName(name)) return undefined
  const range = text.trim()
  if (!range.startsWith('npm:')) return isRegistryRange(range) ? { name, range } : undefined
  const [, real = '', realRange = ''] = /^npm:(@?[^@]*)(?:@(.*))?$/s.exec(range) ?? []
  return isPackageName(real) && isRegistryRange(realRange.trim()) ? { name: real, range: realRange.trim() } : undefined
}

/** Whether a string is a valid name for a package and a folder. */
export const isPackageName = (name: string): boolean => PACKAGE_NAME.test(name) && name.toLowerCase() !== 'node_modules'

function readTable(packageJson: PackageJson, owner: string, field: string, isOptional: boolean): Map<string, Dependency> {
  const table = packageJson[field] ?? {}
  if (!isObject(table)) throw createRejection(owner, field, table)
  const entries = Object.entries(table).map(([name, text]): [string, Dependency] => {
    const dependency = readDependency(name, text)
    if (!dependency) throw createRejection(owner, `${field}.${name}`, text)
    return [name, { ...dependency, isOptional }]
  })
  return new Map(entries)
}

/** Checks overrides, which apply to a project and not to packages that it installs: they are not followed. */
function checkOverrides(overrides: unknown, owner: string, depth: number): void {
  if (overrides === undefined || overrides === null) return
  if (!isObject(overrides) || depth > 20) throw createRejection(owner, 'overrides', overrides)
  for (const [selector, value] of Object.entries(overrides)) {
    const name = /^@?[^@]*/.exec(selector)?.[0] ?? ''
    if (isObject(value)) checkOverrides(value, owner, depth + 1)
    // one of the package's own dependencies, by its name
    else if (typeof value === 'string' && /^\$/.test(value) && isPackageName(value.slice(1))) continue
    else if (!readDependency(name === '.' ? 'self' : name, value)) throw createRejection(owner, `overrides.${selector}`, value)
  }
}

/** Checks workspaces, which are folders of a project and not of packages that it installs: they are not followed. */
function checkWorkspaces(workspaces: unknown, owner: string): void {
  if (isEmpty(workspaces)) return
  const paths = isObject(workspaces) ? (workspaces.packages ?? []) : workspaces
  if (!Array.isArray(paths)) throw createRejection(owner, 'workspaces', workspaces)
  for (const path of paths)
    if (typeof path !== 'string' || /^!?([/\\~]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)|:/i.test(path))
      throw createRejection(owner, 'workspaces', path)
}

function checkBundled(bundled: unknown, owner: string, field: string, isKnown: (name: string) => boolean): void {
  if (typeof bundled === 'boolean' || isEmpty(bundled)) return
  const names = isObject(bundled) ? Object.keys(bundled) : bundled
  if (!Array.isArray(names)) throw createRejection(owner, field, bundled)
  for (const name of names) if (typeof name !== 'string' || !isKnown(name)) throw createRejection(owner, field, name)
}

/** Checks a shrinkwrap, which is not followed either; it is rejected if it names anything but packages in a registry. */
async function checkShrinkwrap(folder: string, owner: string): Promise<void> {
  const path = join(folder, 'npm-shrinkwrap.json')
  const exists = await stat(path).then(
    () => true,
    () => false,
  )
  if (!exists) return
  const lock = await readJson(path, MAX_SHRINKWRAP_BYTES)
  if (!isObject(lock)) throw createRejection(owner, 'npm-shrinkwrap.json', undefined)
  checkLocked(lock.dependencies, owner, 0)
  if (lock.packages === undefined) return
  if (!isObject(lock.packages)) throw createRejection(owner, 'npm-shrinkwrap.json', lock.packages)
  for (const [lockPath, entry] of Object.entries(lock.packages)) {
    if (lockPath !== '') checkLockedPackage(lockPath, entry, owner)
    if (isObject(entry)) readDependencies({ ...entry, name: `${owner}, npm-shrinkwrap.json` })
  }
}

/** Checks the older form of a lock file: packages by name, each with the packages in its folder. */
function checkLocked(dependencies: unknown, owner: string, depth: number): void {
  if (dependencies === undefined) return
  if (!isObject(dependencies) || depth > 100) throw createRejection(owner, 'npm-shrinkwrap.json', dependencies)
  for (const [name, entry] of Object.entries(dependencies)) {
    checkLockedPackage(name, entry, owner)
    checkLocked((entry as PackageJson).dependencies, owner, depth + 1)
  }
}

function checkLockedPackage(lockPath: string, entry: unknown, owner: string): void {
  const fieldPath = `npm-shrinkwrap.json: ${lockPath}`
  if (!isObject(entry) || entry.link === true) throw createRejection(owner, fieldPath, isObject(entry) ? entry.resolved : entry)
  const { resolved, version } = entry
  const isFromRegistry =
    resolved === undefined || resolved === false || (typeof resolved === 'string' && REGISTRY_ARCHIVE.test(resolved))
  if (!isFromRegistry) throw createRejection(owner, fieldPath, resolved)
  const name = lockPath.split('node_modules/').at(-1) as string
  if (version !== undefined && !readDependency(name, version)) throw createRejection(owner, fieldPath, version)
}

function createRejection(owner: string, fieldPath: string, value: unknown): InstallError {
  const valueText = (JSON.stringify(value) ?? 'nothing').slice(0, 200)
  return new InstallError(
    `${owner} depends on something other than a registry package: ${fieldPath.slice(0, 200)} is ${valueText}. Dependencies of a plugin must be names with a version, a range of versions or a tag.`,
  )
}

/** The package's own name and version, for messages. */
const describePackage = ({ name, version }: PackageJson): string =>
  typeof name === 'string' && name !== ''
    ? `${name.slice(0, 214)}${typeof version === 'string' ? ` ${version.slice(0, 50)}` : ''}`
    : 'The package'

/** Whether a value is an object with fields. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean => value === undefined || value === null || (Array.isArray(value) && value.length === 0)

/** @returns undefined if the file is missing or unreadable */
async function readJson(path: string, maxBytes: number): Promise<unknown> {
  try {
    if ((await stat(path)).size > maxBytes) return undefined
    return JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
