import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import semver from 'semver'
import { readDependencies } from './dependencies.ts'
import { type PlacedPackage, placeDependencies } from './dependency-layout.ts'
import type { Release } from './registry.ts'

/** Packages by name, each with its versions and their dependencies. */
type Packages = Record<string, Record<string, Record<string, string>>>

function createRegistry(packages: Packages) {
  return {
    find: async (name: string, range: string): Promise<Release> => {
      const version = semver.maxSatisfying(Object.keys(packages[name] ?? {}), range)
      assert.ok(version)
      return { name, version, tarball: '', isDeprecated: false, os: [], cpu: [] }
    },
    fetch: async ({ name, version }: Release) => Buffer.from(JSON.stringify({ dependencies: packages[name]?.[version] })),
  }
}

/** Finds the package to which Node resolves a name that a package in this folder imports. */
function resolvePackage(all: ReadonlyMap<string, PlacedPackage>, folder: string, name: string): PlacedPackage | undefined {
  for (let path = folder; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('/')))) {
    const match = path.endsWith('/node_modules') ? undefined : all.get(`${path}/node_modules/${name}`)
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
        return [root, ...(await placeDependencies({ root, registry: createRegistry(available), unpack }))]
      }
      const placedPackages = await placeAll().catch((error) => {
        // packages that keep requiring each other in new versions
        assert.match(error.message, /requires more than 1000 other packages/)
        return []
      })
      const all = new Map(placedPackages.map((one) => [one.folder, one]))
      assert.equal(all.size, placedPackages.length)
      for (const { folder, dependencies } of placedPackages)
        for (const [name, { range }] of dependencies) {
          const match = resolvePackage(all, folder, name)
          assert.ok(match && semver.satisfies(match.version, range), `${folder} finds ${match?.version} for ${name}@${range}`)
        }
      if (placedPackages.length)
        assert.deepEqual(
          (await placeAll()).map(({ folder }) => folder),
          [...all.keys()],
        )
    }),
    { numRuns: 200 },
  )
})
