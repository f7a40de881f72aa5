import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import semver from 'semver'
import { ROOT } from './paths.ts'

type Package = { version: string; engines?: { node?: string }; hasInstallScript?: boolean }
type Lockfile = { packages: Record<string, Package> }

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

/**
 * package-lock.json without what npm would warn of to no purpose: that a package asks for a newer Node than the one that installs it,
 * although it runs on the one that comes along (ADR 0011). What the latter does not satisfy either stays, and so does what is asked by
 * packages with an install script, which runs on the former.
 */
export function lockfile(): string {
  const lock: Lockfile = read('package-lock.json')
  const own: Package = read('package.json')
  const runsOn = lock.packages['node_modules/node']?.version ?? ''
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (!folder.includes('node_modules/')) continue
    const asked = askedOf(folder) ?? entry.engines
    const isNeedless = asked?.node !== undefined && !semver.subset(own.engines?.node ?? '*', asked.node)
    if (isNeedless && !entry.hasInstallScript && semver.satisfies(runsOn, asked.node as string)) delete entry.engines
    else if (isNeedless) entry.engines = asked
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** The engines that an installed package asks for; what is not installed here, such as the binaries of other systems, says nothing. */
function askedOf(folder: string): Package['engines'] {
  const file = join(folder, 'package.json')
  return existsSync(join(ROOT, file)) ? read(file).engines : undefined
}
