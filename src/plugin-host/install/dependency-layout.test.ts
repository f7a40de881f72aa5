import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import semver from 'semver'
import { readDependencies } from './dependencies.ts'
import { type PlacedPackage, placeDependencies } from './dependency-layout.ts'
import type { Release } from './registry.ts'

/** Packages by name, each with its versions and their dependencies. */
type Packages = Record<string, Record<string, Record<string, string>>>

function registryOf(packages: Packages) {
  return {
    find: async (name: string, range: string): Promise<Release> => {
      const version = semver.maxSatisfying(Object.keys(packages[name] ?? {}), range)
      assert.ok(version)
      return { name, version, tarball: '', isDeprecated: false, os: [], cpu: [] }
    },
    fetch: async ({ name, version }: Release) => Buffer.from(JSON.stringify({ dependencies: packages[name]?.[version] })),
  }
}

/** Finds the package that Node resolves for a name from the folder of another. */
function findFrom(all: ReadonlyMap<string, PlacedPackage>, folder: string, name: string): PlacedPackage | undefined {
  for (let at = folder; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const match = at.endsWith('/node_modules') ? undefined : all.get(`${at}/node_modules/${name}`)
    if (match) return match
  }
  return undefined
}

test('Node resolves each dependency of each package in a matching version, and the layout is deterministic', async () => {
  const names = ['a', 'b', 'c', 'd']
  const dependencies = fc.dictionary(fc.constantFrom(...names), fc.constantFrom('^1.0.0', '^2.0.0', '*', '1.0.0'), { maxKeys: 4 })
  const versions = fc.record({ '1.0.0': dependencies, '1.1.0': dependencies, '2.0.0': dependencies })
  const packages = fc.record({ a: versions, b: versions, c: versions, d: versions })
  await fc.assert(
    fc.asyncProperty(packages, dependencies, async (available, required) => {
      const placeAll = async () => {
        const root: PlacedPackage = {
          name: 'a',
          version: '1.0.0',
          folder: '/x/node_modules/a',
          dependencies: readDependencies({ dependencies: required }),
          isOptional: false,
          inner: new Map(),
        }
        const unpack = async (tarball: Buffer) => readDependencies(JSON.parse(tarball.toString()))
        return [root, ...(await placeDependencies({ root, registry: registryOf(available), unpack }))]
      }
      const placed = await placeAll().catch((error) => {
        // packages that keep requiring each other in new versions
        assert.match(error.message, /requires more than 1000 other packages/)
        return []
      })
      const all = new Map(placed.map((one) => [one.folder, one]))
      assert.equal(all.size, placed.length)
      for (const { folder, dependencies } of placed)
        for (const [name, { range }] of dependencies) {
          const match = findFrom(all, folder, name)
          assert.ok(match && semver.satisfies(match.version, range), `${folder} finds ${match?.version} for ${name}@${range}`)
        }
      if (placed.length)
        assert.deepEqual(
          (await placeAll()).map(({ folder }) => folder),
          [...all.keys()],
        )
    }),
    { numRuns: 200 },
  )
})
