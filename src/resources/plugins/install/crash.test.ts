import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { startNodeProcess } from '../../../testing/node-process.ts'
import { createPluginPackage, packFiles, startNpmRegistry } from '../../../testing/servers/npm-registry.ts'
import { PASSWORD, testService } from '../../../testing/service.ts'
import { waitUntil } from '../../../testing/until.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-crash-'))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
const service = await testService({ DATA_DIR: join(folder, 'one') })
const registry = await startNpmRegistry()

test('a service that is killed while it installs blocks the others for ten seconds at most, and has changed nothing', async () => {
  await registry.publish(await packFiles(createPluginPackage()))
  const body = { confirm: true, packagename: 'stockroom-sample', url: registry.url }
  assert.equal((await service.superuser.post('/api/plugins/install/', body)).status, 201)
  const readPackages = () => service.rows('select key, version, digest from plugin_package')
  const before = await readPackages()

  const requestReceived = Promise.withResolvers<void>()
  const hangingServer = createServer(() => requestReceived.resolve()).listen(0, '127.0.0.1')
  await once(hangingServer, 'listening')
  const killedNode = await startNodeProcess(service.databaseUrl, { DATA_DIR: join(folder, 'two'), PLUGIN_INSTALL_SECONDS: '60' })
  const brokenRequest = fetch(`${killedNode.url}/api/plugins/install/`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`superuser:${PASSWORD}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ ...body, url: `http://127.0.0.1:${(hangingServer.address() as AddressInfo).port}/` }),
  }).catch(() => 'broken')
  await requestReceived.promise
  const isAvailable = async () => (await service.anonymous.get('/api/')).status === 200
  await waitUntil(async () => !(await isAvailable()), 'requests do not wait')
  await killedNode.kill()
  const killTime = Date.now()
  assert.equal(await brokenRequest, 'broken')
  assert.ok(!(await isAvailable()), 'requests no longer wait')
  await waitUntil(isAvailable, 'requests keep waiting', 15_000)
  assert.ok(Date.now() - killTime < 11_000, 'the lease lasted for too long')
  hangingServer.closeAllConnections()
  hangingServer.close()

  assert.deepEqual(await readPackages(), before)
  // the next installation cleans up after it
  const second = await service.superuser.post('/api/plugins/install/', body)
  assert.equal(second.status, 201, second.text)
  assert.ok(readdirSync(join(folder, 'one', 'plugin-packages')).every((name) => /^[0-9a-f]{40}$/.test(name)))
})
