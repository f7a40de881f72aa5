import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { builtInPlugins, getEntryPath } from '../plugins/index.ts'
import type { Installed, Packages } from './install/packages.ts'
import type { PluginPaths } from './running.ts'

/** A discovered plugin, with the data known before it is loaded. */
export type DiscoveredPlugin = {
  /** Its slug. */
  key: string
  origin: 'builtin' | 'folder' | 'package'
  paths: PluginPaths
  packageName: string | null
  /** Its path for clients. */
  packagePath: string
  /** Names of mixins for existing clients, in addition to those of its functions. */
  mixins: readonly string[]
}

/** An entry of a plugin folder that is not a plugin. */
export type InvalidPlugin = { name: string; message: string }

export type Discovery = { discovered: ReadonlyMap<string, DiscoveredPlugin>; invalid: readonly InvalidPlugin[] }

/** The folder with a subfolder for each plugin, named by its slug. */
export const getPluginsFolder = (dataDir: string): string => join(dataDir, 'plugins')

/** Finds plugins in the three sources. The order is that in which they are called; of two with the same key, the first one wins. */
export async function discover(dataDir: string, packages: Packages): Promise<Discovery> {
  const { installed, missing } = await packages.sync()
  const invalid: InvalidPlugin[] = [...missing]
  const all = [
    ...listBuiltInPlugins(),
    ...installed.map(toDiscoveredPlugin),
    ...(await readPluginFolders(getPluginsFolder(dataDir), invalid)),
  ]
  const discovered = new Map<string, DiscoveredPlugin>()
  for (const candidate of all) {
    if (discovered.has(candidate.key))
      invalid.push({ name: candidate.key, message: `another plugin ${candidate.key} takes precedence` })
    else discovered.set(candidate.key, candidate)
  }
  return { discovered, invalid }
}

/** Whether a discovered plugin still exists. */
export const isPluginPresent = async (discovered: DiscoveredPlugin): Promise<boolean> =>
  (await readModuleState(discovered)) !== undefined

/** The current state of its module, as a string that changes when the module is replaced or edited. Undefined if it is missing. */
export async function readModuleState({ paths: { entry } }: DiscoveredPlugin): Promise<string | undefined> {
  const file = await ignoreMissing(stat(entry))
  return file && `${entry} ${file.mtimeMs} ${file.size}`
}

const listBuiltInPlugins = (): DiscoveredPlugin[] =>
  builtInPlugins.map((plugin) => {
    const entry = getEntryPath(plugin)
    const { slug, packagePath, mixins } = plugin
    const paths = { entry, folder: dirname(entry) }
    return {
      key: slug,
      origin: 'builtin',
      paths,
      packageName: null,
      packagePath: `plugin/builtin/${packagePath}`,
      mixins,
    }
  })

const toDiscoveredPlugin = ({ key, packageName, paths }: Installed): DiscoveredPlugin => ({
  key,
  origin: 'package',
  paths,
  packageName,
  packagePath: packageName,
  mixins: [],
})

async function readPluginFolders(root: string, invalid: InvalidPlugin[]): Promise<DiscoveredPlugin[]> {
  const names = (await ignoreMissing(readdir(root))) ?? []
  const discovered: DiscoveredPlugin[] = []
  for (const name of names.filter((candidate) => !candidate.startsWith('.')).sort()) {
    const folder = join(root, name)
    if (!(await ignoreMissing(stat(folder)))?.isDirectory()) continue
    try {
      if (!/^[a-z0-9][a-z0-9-]{0,99}$/.test(name)) throw new Error('the folder of a plugin must have the name of its slug')
      const paths = { entry: await findEntry(folder), folder }
      discovered.push({
        key: name,
        origin: 'folder',
        paths,
        packageName: null,
        packagePath: `plugins/${name}`,
        mixins: [],
      })
    } catch (error) {
      invalid.push({ name: name.slice(0, 100), message: (error as Error).message })
    }
  }
  return discovered
}

/** The module of a plugin: `main` of its package.json, or its index. */
async function findEntry(folder: string): Promise<string> {
  const mainFile = await readMainField(folder)
  for (const name of mainFile === undefined ? ['index.ts', 'index.js', 'index.mjs'] : [mainFile]) {
    const entry = join(folder, name)
    if (!(await ignoreMissing(stat(entry)))?.isFile()) continue
    const inside = relative(await realpath(folder), await realpath(entry))
    if (inside.startsWith('..')) throw new Error('its module is outside its folder')
    return entry
  }
  throw new Error(
    mainFile === undefined
      ? 'it has neither a package.json with main nor an index.ts or index.js'
      : 'the main of its package.json is missing',
  )
}

async function readMainField(folder: string): Promise<string | undefined> {
  const text = await ignoreMissing(readFile(join(folder, 'package.json'), 'utf8'))
  if (text === undefined) return undefined
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error('its package.json cannot be read')
  }
  const main = (parsed as { main?: unknown } | null)?.main
  return typeof main === 'string' && basename(main) !== '' ? main : undefined
}

/** Returns undefined if the file or folder does not exist. */
async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
