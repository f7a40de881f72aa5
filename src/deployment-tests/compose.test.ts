import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { childEnvironment } from '../testing/child-environment.ts'
import { type ComposeFile, parseCompose, readCompose, validateCompose } from '../testing/container/compose.ts'
import {
  buildEnvironment,
  createFolder,
  runCommand,
  sendJson,
  startDatabase,
  startStockroom,
  stopStockroom,
  VARIABLES,
} from '../testing/container/compose-processes.ts'
import { startTestBucket } from '../testing/servers/bucket.ts'
import { scaleTimeout } from '../testing/slowness.ts'

// The compose files, with a process in place of each container (`compose-processes.ts`).

const BASE = 'compose.yaml'
const S3 = 'deploy/compose.s3.yaml'
const CADDY = 'deploy/compose.caddy.yaml'

const S3_KEYS = { S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' }
const options = { timeout: scaleTimeout(240_000) }

describe('each compose file', () => {
  for (const path of [BASE, S3, CADDY])
    it(`${path} is valid by the schema of the Compose Specification`, () => {
      assert.deepEqual(validateCompose(parseCompose(path)), [])
    })

  it('is rejected by that schema with a key that it does not have', () => {
    const document = parseCompose(BASE) as ComposeFile
    Object.assign(document.services.stockroom as object, { volume: [] })
    assert.notEqual(validateCompose(document).length, 0)
  })

  it('names what is missing in .env', () => {
    assert.throws(() => readCompose([BASE], {}), /^Error: POSTGRES_PASSWORD: /)
    assert.throws(() => readCompose([BASE, S3], VARIABLES), /^Error: S3_ACCESS_KEY_ID: /)
    assert.throws(() => readCompose([BASE, CADDY], VARIABLES), /^Error: SITE_NAME: /)
  })

  it('publishes the service on this machine alone, unless .env says otherwise', () => {
    assert.deepEqual(readCompose([BASE], VARIABLES).services.stockroom?.ports, ['127.0.0.1:8000:8000'])
    const open = readCompose([BASE], { ...VARIABLES, PUBLISH: '0.0.0.0:80' })
    assert.deepEqual(open.services.stockroom?.ports, ['0.0.0.0:80:8000'])
  })
})

describe('compose.yaml', options, () => {
  it('starts with its database, writes a backup to its volume, and restores it', async () => {
    const file = readCompose([BASE], VARIABLES)
    const database = await startDatabase(file)
    const [data, backups] = [createFolder(), createFolder()]
    const replacements = { 'database:5432': `127.0.0.1:${database}`, '/data': data, '/backups': backups }
    const service = await startStockroom(buildEnvironment(file, 'stockroom', replacements))
    const { pk } = await sendJson(service.url, 'POST', '/api/part/category/', { name: 'Boxes' })
    assert.deepEqual(readdirSync(data).includes('postgres'), false, 'it has an embedded database')

    const backup = runCommand(service, 'backup')
    assert.equal(backup.status, 0, backup.stderr)
    const [name] = readdirSync(backups)
    assert.ok(name)
    await stopStockroom(service)

    const empty = await startDatabase(file)
    const fresh = buildEnvironment(file, 'stockroom', {
      ...replacements,
      'database:5432': `127.0.0.1:${empty}`,
      '/data': createFolder(),
    })
    const restored = runCommand({ environment: { ...childEnvironment, ...fresh } }, 'restore', join(backups, name))
    assert.equal(restored.status, 0, restored.stderr)
    const next = await startStockroom(fresh)
    assert.equal((await sendJson(next.url, 'GET', `/api/part/category/${pk}/`)).name, 'Boxes')
    await stopStockroom(next)
  })
})

describe('compose.s3.yaml', options, () => {
  it('stores files in the store, and none in the volume', async () => {
    const file = readCompose([BASE, S3], { ...VARIABLES, ...S3_KEYS })
    const database = await startDatabase(file)
    const bucket = await startTestBucket(file.services.stockroom?.environment.S3_BUCKET)
    const data = createFolder()
    const environment = buildEnvironment(file, 'stockroom', {
      'database:5432': `127.0.0.1:${database}`,
      '/data': data,
      '/backups': createFolder(),
      'http://store:7070': bucket.environment.S3_ENDPOINT as string,
    })
    const service = await startStockroom(environment)
    const { pk } = await sendJson(service.url, 'POST', '/api/company/', { name: 'Boxes Ltd', currency: 'EUR' })
    await sendJson(service.url, 'POST', '/api/company/attachment/', {
      company: pk,
      attachment: `data:text/plain;base64,${btoa('Thirty days')}`,
      filename: 'terms.txt',
    })
    const keys = bucket.listKeys()
    assert.ok(
      keys.some((key) => bucket.readObject(key)?.toString() === 'Thirty days'),
      keys.join(),
    )
    assert.ok(!readdirSync(data).includes('media'))
    await stopStockroom(service)
  })

  it('has the same bucket, keys and port in the store and in the service', () => {
    const { stockroom, store } = readCompose([BASE, S3], { ...VARIABLES, ...S3_KEYS, S3_BUCKET: 'workshop' }).services
    const { S3_BUCKET, S3_ENDPOINT = '', S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = stockroom?.environment ?? {}
    assert.deepEqual(store?.environment, {
      S3_BUCKET,
      VGW_PORT: `:${new URL(S3_ENDPOINT).port}`,
      ROOT_ACCESS_KEY_ID: S3_ACCESS_KEY_ID,
      ROOT_SECRET_ACCESS_KEY: S3_SECRET_ACCESS_KEY,
    })
    assert.equal(S3_BUCKET, 'workshop')
  })
})
