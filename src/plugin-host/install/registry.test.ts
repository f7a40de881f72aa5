import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { InstallError } from './cannot-install.ts'
import type { HttpClient } from './http-client.ts'
import { Registry } from './registry.ts'

const REGISTRY_URL = 'https://registry.example/'

/** Creates a registry with one package, in these versions. */
function createRegistry(
  versions: readonly string[],
  { latest, deprecated = [] }: { latest?: string; deprecated?: string[] } = {},
) {
  const dist = { tarball: `${REGISTRY_URL}a.tgz` }
  const versionEntries = versions.map((version) => [
    version,
    { dist, ...(deprecated.includes(version) && { deprecated: 'old' }) },
  ])
  const metadata = JSON.stringify({ 'dist-tags': { ...(latest && { latest }) }, versions: Object.fromEntries(versionEntries) })
  const controller = new AbortController()
  const fetch: HttpClient['fetch'] = async (_url, { budget }) => {
    budget.remaining -= metadata.length
    if (budget.remaining < 0) throw budget.error()
    return Buffer.from(metadata)
  }
  return { registry: new Registry({ fetch } as HttpClient, REGISTRY_URL, controller.signal), controller }
}

const makeVersions = (count: number) => Array.from({ length: count }, (_, index) => `1.${index}.0`)

describe('a registry', () => {
  it('returns the version tagged latest if it is in the range, otherwise the highest one that is not deprecated', async () => {
    const { registry } = createRegistry(['1.0.0', '1.2.0', '1.10.0', '2.0.0', '3.0.0-beta'], {
      latest: '1.2.0',
      deprecated: ['2.0.0'],
    })
    const resolve = async (range: string) => (await registry.find('a', range)).version
    const expected = {
      '': '1.2.0',
      latest: '1.2.0',
      '^1.0.0': '1.2.0',
      '>1.2.0': '1.10.0',
      '>=2': '2.0.0',
      '3.0.0-beta': '3.0.0-beta',
    }
    for (const [range, version] of Object.entries(expected)) assert.equal(await resolve(range), version, range)
    await assert.rejects(resolve('4'), InstallError)
    await assert.rejects(resolve('next'), InstallError)
  })

  it('yields to other work while it reads and compares many versions, and stops when it is aborted', async () => {
    const { registry, controller } = createRegistry(makeVersions(20_000))
    let isDone = false
    const countTurnsUntil = async (work: Promise<unknown>) => {
      isDone = false
      void work.finally(() => (isDone = true))
      let turns = 0
      for (; !isDone; turns++) await setImmediate()
      await work
      return turns
    }
    assert.ok((await countTurnsUntil(registry.find('a', '>=1.5.0 <2'))) > 100)
    assert.ok((await countTurnsUntil(registry.find('a', '>=1.5.0 <2'))) > 50)
    const resolution = registry.find('a', '^1.7.0')
    controller.abort(new Error('over'))
    await assert.rejects(resolution, /over/)
  })

  it('is rejected if its metadata is too large', async () => {
    await assert.rejects(createRegistry(makeVersions(50_001)).registry.find('a', '*'), /more than 50000 versions/)
    const long = `1.0.0-${'a'.repeat(33 * 1024 * 1024)}`
    await assert.rejects(createRegistry([long]).registry.find('a', '*'), /response of the registry is too large/)
  })
})
