import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../kit/values/json.ts'

/** A package used by the service, with its license. */
export type LicensedPackage = { name: string; version: string; license: string; licensetext: string }

/** The license files of a package. */
const LICENSE_FILE = /^(licen[cs]e|copying)([.-]|$)/i
/** Maximum characters stored of a license's text. */
const MAX_LICENSE_LENGTH = 20_000

/**
 * Lists the installed packages that the service runs with, by name. npm records what it installs (`node_modules/.package-lock.json`), with
 * the license that each package names; the text is in the package.
 * @param root the folder in which npm installed them
 * @throws Error when they were not installed by npm
 */
export async function listInstalledPackages(root: string): Promise<LicensedPackage[]> {
  const { packages } = JSON.parse(await readFile(join(root, 'node_modules/.package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; license?: unknown; dev?: boolean; link?: boolean }>
  }
  const usedPackages = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  const packageInfos = await Promise.all(
    usedPackages.map(async ([path, { version = '', license }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license: getLicenseName(license),
      licensetext: await readLicenseText(join(root, path)),
    })),
  )
  const packagesByName = new Map(packageInfos.map((one) => [`${one.name} ${one.version}`, one]))
  return [...packagesByName.keys()].toSorted().map((key) => packagesByName.get(key) as LicensedPackage)
}

/** The name of a license, which is a string in npm's format, or an object in old packages. */
const getLicenseName = (license: unknown): string =>
  typeof license === 'string' ? license : isObject(license) && typeof license.type === 'string' ? license.type : ''

/** The license text of a package; empty if it has none. */
async function readLicenseText(folder: string): Promise<string> {
  try {
    const file = (await readdir(folder)).toSorted().find((name) => LICENSE_FILE.test(name))
    return file === undefined ? '' : (await readFile(join(folder, file), 'utf8')).slice(0, MAX_LICENSE_LENGTH)
  } catch {
    return ''
  }
}
