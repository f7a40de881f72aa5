import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { listInstalledPackages } from './installed.ts'

const service = await testService()

describe('GET /api/license/', () => {
  it('lists every package that the service runs with, as installed, and no other', async () => {
    const { backend, frontend } = (await service.nobody.get('/api/license/')).body
    assert.deepEqual(frontend, [])
    const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      string,
      Record<string, string>
    >
    const versions = new Map(backend.map(({ name, version }: { name: string; version: string }) => [name, version]))
    for (const [name, version] of Object.entries(dependencies ?? {})) assert.equal(versions.get(name), version, name)
    for (const name of ['typescript', 'drizzle-kit', 'verdaccio']) {
      assert.ok(devDependencies?.[name])
      assert.ok(!versions.has(name), name)
    }
    for (const { name, license } of backend) assert.ok(license, `${name} names no licence`)
    const fastify = backend.find(({ name }: { name: string }) => name === 'fastify')
    assert.equal(fastify.license, 'MIT')
    assert.match(fastify.licensetext, /Permission is hereby granted/)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get('/api/license/'), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('the installed packages', () => {
  it('are those that npm recorded, whatever else they contain', async () => {
    const root = await mkdtemp(join(tmpdir(), 'installed-'))
    after(() => rm(root, { recursive: true }))
    const packages = {
      'node_modules/@scope/new': { version: '1.0.0', license: 'MIT' },
      'node_modules/old': { version: '2.0.0', license: { type: 'BSD' } },
      'node_modules/old/node_modules/@scope/new': { version: '1.0.0', license: 'MIT' },
      'node_modules/silent': { version: '3.0.0' },
      'node_modules/tool': { version: '4.0.0', license: 'MIT', dev: true },
      'node_modules/own': { link: true },
      client: { version: '5.0.0' },
    }
    await mkdir(join(root, 'node_modules/old'), { recursive: true })
    await writeFile(join(root, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
    await writeFile(join(root, 'node_modules/old/LICENCE.txt'), `${'x'.repeat(30_000)}`)
    assert.deepEqual(await listInstalledPackages(root), [
      { name: '@scope/new', version: '1.0.0', license: 'MIT', licensetext: '' },
      { name: 'old', version: '2.0.0', license: 'BSD', licensetext: 'x'.repeat(20_000) },
      { name: 'silent', version: '3.0.0', license: '', licensetext: '' },
    ])
    await assert.rejects(listInstalledPackages(join(root, 'node_modules')), /ENOENT/)
  })
})
