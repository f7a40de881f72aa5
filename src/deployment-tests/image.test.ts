import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import {
  builtImage,
  type Container,
  createVolumes,
  findUser,
  type Image,
  removeContainers,
  runInContainer,
  startContainer,
  type Volumes,
} from '../testing/container/image.ts'
import { createTestDatabase } from '../testing/database.ts'
import { findFreePort } from '../testing/free-port.ts'
import { readPdf } from '../testing/pdf.ts'
import { startDatabaseProxy } from '../testing/servers/database-proxy.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { waitUntil } from '../testing/until.ts'

// The built image, unpacked and run without a container engine (`.ci/image`).

const PASSWORD = 'a password of tests'
const ADMIN = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: PASSWORD }
const options = {
  skip: builtImage ? false : 'there is no image: .ci/image builds one and runs these tests',
  timeout: scaleTimeout(300_000),
}
const image = builtImage as Image
after(removeContainers)

/** The variables of a container on loopback: it has the network of this machine. */
const onLoopback = (port: number) => ({ HOST: '127.0.0.1', PORT: String(port) })

/** Runs the health check of the image in a container. */
function checkHealth(container: Container, ...variables: string[]) {
  const [kind, ...command] = image.config.Healthcheck.Test
  assert.equal(kind, 'CMD')
  return container.execute(['env', ...variables, ...command])
}

const isHealthy = async (container: Container): Promise<boolean> => (await checkHealth(container)).status === 0

const waitForHealth = (container: Container) =>
  waitUntil(() => isHealthy(container), `it is not healthy`, 90_000).catch((error) => {
    throw new Error(`${error.message}: ${container.readLog().slice(-2_000)}`)
  })

function createClient(port: number) {
  const headers = { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}`, 'content-type': 'application/json' }
  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body && JSON.stringify(body) })
    assert.ok(response.ok, `${method} ${path}: ${response.status}`)
    return (await response.json()) as any
  }
  return {
    get: (path: string) => send('GET', path),
    post: (path: string, body: object) => send('POST', path, body),
    getBytes: async (url: string) => new Uint8Array(await (await fetch(url, { headers })).arrayBuffer()),
  }
}

describe('the configuration of the image', options, () => {
  it('has one volume, one port, a health check and a user other than root', () => {
    const { config, folder } = image
    assert.deepEqual(Object.keys(config.Volumes), ['/data'])
    assert.deepEqual(Object.keys(config.ExposedPorts), ['8000/tcp'])
    assert.equal(config.StopSignal, 'SIGTERM')
    assert.ok(config.Healthcheck.Interval > 0)
    assert.deepEqual(findUser(folder, config.User), { uid: 1000, gid: 1000 })
  })

  it('has folders for volumes that only its user can open, and a program that its user cannot change', () => {
    const { folder } = image
    for (const name of ['data', 'backups']) {
      const { uid, mode } = statSync(join(folder, name))
      assert.deepEqual([uid, mode & 0o777], [1000, 0o700], name)
    }
    assert.equal(statSync(join(folder, 'app')).uid, 0)
    assert.ok(!existsSync(join(folder, 'app/node_modules/typescript')), 'development dependencies')
  })
})

describe('a container with the embedded PostgreSQL', options, () => {
  let volumes: Volumes
  let port: number
  let container: Container
  let client: ReturnType<typeof createClient>
  let part: number
  const start = async (): Promise<void> => {
    container = await startContainer(image, volumes, { ...onLoopback(port), ...ADMIN, BACKUP_DIR: '/backups' })
    await waitForHealth(container)
  }
  before(async () => {
    volumes = createVolumes(image)
    port = await findFreePort()
    client = createClient(port)
    await start()
  })

  it('becomes healthy, and serves the console and the guides from the bundles of the image', async () => {
    const elsewhere = await checkHealth(container, 'PORT=1')
    assert.deepEqual([elsewhere.status, elsewhere.stderr.trim()], [1, 'connect ECONNREFUSED 127.0.0.1:1'])
    for (const [path, content] of [
      ['/', /<script/],
      ['/docs/', /guides/i],
    ] as const) {
      const page = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept: 'text/html' } })
      assert.equal(page.status, 200, path)
      assert.match(await page.text(), content)
    }
    assert.doesNotMatch(container.readLog(), /unavailable|bundled/)
  })

  it('prints a label', async () => {
    const category = await client.post('/api/part/category/', { name: 'Boxes' })
    part = (await client.post('/api/part/', { name: 'A box', description: 'of the container', category: category.pk })).pk
    const label = 'data:text/html,<p>{{ part.name }}</p>'
    const template = await client.post('/api/label/part/', { name: 'A label', width: 60, height: 30, label })
    const { file } = await client.get(`/api/label/part/${template.pk}/print/?parts=${part}`)
    const [page] = await readPdf(await client.getBytes(file))
    assert.match(page?.text ?? '', /A box/)
  })

  it('cannot write outside of its volumes and /tmp, and has neither root nor capabilities in any process', async () => {
    const processes = container.listProcesses()
    assert.ok(processes.length > 3)
    for (const pid of processes) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      assert.match(status, /^Uid:\t1000\t1000\t1000\t1000$/m)
      assert.match(status, /^CapEff:\t0+$/m)
      assert.match(status, /^NoNewPrivs:\t1$/m)
    }
    const touch = async (path: string) => (await container.execute(['touch', path])).status
    for (const folder of ['/', '/app', '/etc', '/var/lib']) assert.notEqual(await touch(`${folder}/x`), 0, folder)
    for (const folder of ['/data', '/backups', '/tmp']) assert.equal(await touch(`${folder}/x`), 0, folder)
  })

  it('stops with its database at SIGTERM, and its replacement has the same data', async () => {
    assert.equal(await container.stop(), 0)
    assert.match(container.readLog(), /"stopped"/)
    assert.ok(!existsSync(join(volumes.data, 'postgres/postmaster.pid')), 'PostgreSQL was not shut down')
    await start()
    assert.equal((await client.get(`/api/part/${part}/`)).name, 'A box')
  })

  it('writes a backup that another container restores', async () => {
    const { status, stdout, stderr } = await container.execute(['stockroom', 'backup'])
    assert.equal(status, 0, stderr)
    const [, backup] = /files are in (\/backups\/[^,]+),/.exec(stdout) ?? []
    assert.ok(backup, stdout)
    assert.equal(await container.stop(), 0)

    volumes = { ...createVolumes(image), backups: volumes.backups }
    const restored = await runInContainer(image, volumes, onLoopback(port), ['restore', backup])
    assert.equal(restored.status, 0, restored.output)
    await start()
    assert.equal((await client.get(`/api/part/${part}/`)).name, 'A box')
    assert.equal(await container.stop(), 0)
  })
})

describe('a container with DATABASE_URL', options, () => {
  it('uses that database, starts none of its own, and is unhealthy while it does not respond', async () => {
    const database = await createTestDatabase()
    after(() => database.drop())
    const proxy = await startDatabaseProxy(database.url)
    const volumes = createVolumes(image)
    const port = await findFreePort()
    const container = await startContainer(image, volumes, { ...onLoopback(port), ...ADMIN, DATABASE_URL: proxy.url })
    await waitForHealth(container)
    await createClient(port).post('/api/part/category/', { name: 'Elsewhere' })
    const { rows } = await database.pool.query('select name from part_category')
    assert.deepEqual(rows, [{ name: 'Elsewhere' }])
    assert.ok(!existsSync(join(volumes.data, 'postgres')))
    proxy.freeze()
    const frozen = await checkHealth(container)
    assert.deepEqual([frozen.status, frozen.stderr.trim()], [1, '/readyz responded with 503'])
    proxy.thaw()
    await waitForHealth(container)
    assert.equal(await container.stop(), 0)
  })
})
