import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../kit/values/json.ts'

/** A package used by the service, with its license. */
export type Licensed = { name: string; version: string; license: string; licensetext: string }

/** The license files of a package. */
const LICENCE = /^(licen[cs]e|copying)([.-]|$)/i
/** Maximum characters stored of a license's text. */
const MAX_LICENSE_LENGTH = 20_000

/**
 * Lists the installed packages that the service runs with, by name. npm records what it installs (`node_modules/.package-lock.json`), with
 * the license that each package names; the text is in the package.
 * @param root the folder in which npm installed them
 * @throws Error when npm did not
 */
export async function installedPackages(root: string): Promise<Licensed[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; license?: unknown; dev?: boolean; link?: boolean }>
  }
  const used = Object.entries(packages).filter(([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link)
  const packageInfos = await Promise.all(
    used.map(async ([path, { version = '', license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license: nameOf(license),
      licensetext: await textIn(join(root, path)),
    })),
  )
  const each = new Map(packageInfos.map((one) => [`${one.name} ${one.version}`, one]))
  return [...each.keys()].toSorted().map((key) => each.get(key) as Licensed)
}

/** The name of a license: a text in npm's format, or an object in old packages. */
const nameOf = (license: unknown): string =>
  typeof license === 'string' ? license : isObject(license) && typeof license.type === 'string' ? license.type : ''

/** The license text of a package; empty if it has none. */
async function textIn(folder: string): Promise<string> {
  try {
    const file = (await readdir(folder)).toSorted().find((name) => LICENCE.test(name))
    return file === undefined ? '' : (await readFile(join(folder, file), 'utf8')).slice(0, MAX_LICENSE_LENGTH)
  } catch {
    return ''
  }
}
