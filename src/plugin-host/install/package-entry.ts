import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { apiPackage } from '../api-package.ts'

/** The metadata of a plugin's package. */
export type PackageManifest = { name: string; version: string; entry: string }

/** Marks a package as a plugin; a peer dependency on the plugin API does as well. */
const KEYWORD = 'stockroom-plugin'
const MAX_PACKAGE_JSON_BYTES = 1024 * 1024

/**
 * Reads the package in a folder.
 * @throws Error with the reason if it is not a plugin
 */
export async function readPackage(folder: string): Promise<PackageManifest> {
  const { name, version, peerDependencies, keywords, ...rest } = await readPackageJson(join(folder, 'package.json'))
  const isPeer = typeof peerDependencies === 'object' && peerDependencies !== null && apiPackage in peerDependencies
  const isPlugin = isPeer || (Array.isArray(keywords) && keywords.includes(KEYWORD))
  if (!isPlugin)
    throw new Error(
      `The package is not a plugin: its package.json has neither the peer dependency ${apiPackage} nor the keyword ${KEYWORD}.`,
    )
  if (typeof name !== 'string' || typeof version !== 'string') throw new Error('The package has no name or no version.')
  return { name: name.slice(0, 214), version: version.slice(0, 100), entry: await findEntry(folder, findMain(rest)) }
}

async function readPackageJson(path: string): Promise<Record<string, unknown>> {
  try {
    if ((await stat(path)).size > MAX_PACKAGE_JSON_BYTES) throw new Error()
    const head: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof head === 'object' && head !== null) return head as Record<string, unknown>
  } catch {
    // reported below
  }
  throw new Error('The package has no valid package.json.')
}

/** The main module of the package: `exports` takes precedence over `main`. */
function findMain({ exports, main }: Record<string, unknown>): string {
  const mainExport = typeof exports === 'object' && exports !== null && '.' in exports ? exports['.'] : exports
  return resolveExport(mainExport) ?? (typeof main === 'string' && main !== '' ? main : 'index.js')
}

function resolveExport(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (typeof target !== 'object' || target === null || Array.isArray(target)) return undefined
  const { node, import: imported, default: otherwise } = target as Record<string, unknown>
  return resolveExport(node) ?? resolveExport(imported) ?? resolveExport(otherwise)
}

async function findEntry(folder: string, main: string): Promise<string> {
  const candidates = [main, `${main}.js`, join(main, 'index.js')].map((path) => join(folder, path))
  for (const path of candidates) {
    const isFile = await stat(path).then(
      (stats) => stats.isFile(),
      () => false,
    )
    if (!isFile) continue
    if (!(await realpath(path)).startsWith((await realpath(folder)) + sep))
      throw new Error('The module of the package is outside it.')
    if (!/\.[cm]?js$/.test(path)) throw new Error('The module of the package is not JavaScript.')
    return path
  }
  throw new Error(`The module of the package, ${main.slice(0, 200)}, is missing.`)
}
