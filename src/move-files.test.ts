import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import sharp from 'sharp'
import { loadConfig } from './config.ts'
import type { Bucket } from './kit/services/bucket.ts'
import { type Files, MediaFolder } from './kit/services/files.ts'
import { openBucket } from './kit/services/open-files.ts'
import { copyFiles, moveFiles } from './move-files.ts'
import { createFilesFolder } from './testing/files.ts'
import { startTestBucket } from './testing/servers/bucket.ts'
import { PASSWORD, testService } from './testing/service.ts'
import { waitUntil } from './testing/until.ts'

const store = await startTestBucket()
const { dataDir, media } = createFilesFolder()
const folderService = await testService({ DATA_DIR: dataDir })
const bucketService = await testService({ DATA_DIR: dataDir, ...store.environment })
const linkingService = await testService({ DATA_DIR: dataDir, ...store.environment, S3_SIGNED_LINKS: 'true' })
const folder = new MediaFolder(media)
const bucket = openBucket(loadConfig(store.environment), pino({ level: 'silent' })) as Bucket

const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: 'red' } })
  .png()
  .toBuffer()
/** Returns the bucket with `write` replaced. */
const withWrite = (write: Files['write']): Files => ({
  write,
  find: (path) => bucket.find(path),
  read: (path) => bucket.read(path),
  bytes: (path) => bucket.bytes(path),
  remove: (path) => bucket.remove(path),
  clear: (before) => bucket.clear(before),
  link: (path, as) => bucket.link(path, as),
})
type Service = typeof folderService
const upload = async ({ member }: Service) => {
  const image = `data:image/png;base64,${picture.toString('base64')}`
  const { body } = await member.post('/api/company/', { name: 'A', currency: 'EUR', email: `${Math.random()}@a.example`, image })
  return (body.image as string).replace('/media/', '')
}
const get = (service: Service, path: string, headers: Record<string, string> = {}) =>
  service.app.inject({
    url: `/media/${path}`,
    headers: { authorization: `Basic ${Buffer.from(`member:${PASSWORD}`).toString('base64')}`, ...headers },
  })

describe('a service with its files in a bucket', () => {
  it('stores files, serves them whole and in ranges, makes thumbnails, and deletes them', async () => {
    const path = await upload(bucketService)
    assert.equal(existsSync(join(media, path)), false)
    assert.deepEqual(store.readObject(path), (await get(bucketService, path)).rawPayload)
    const part = await get(bucketService, path, { range: 'bytes=1-3' })
    assert.deepEqual([part.statusCode, part.payload], [206, 'PNG'])
    const thumbnail = path.replace('.png', '.thumbnail.png')
    assert.equal((await get(bucketService, thumbnail)).statusCode, 200)
    assert.ok(store.readObject(thumbnail))
    await bucketService.rows(`update company set image = null where image = $1`, [path])
    await waitUntil(() => store.listKeys().length === 0, 'the files are not deleted')
  })

  it('redirects to the store if links are allowed, and serves nothing to unauthorized callers', async () => {
    const path = await upload(linkingService)
    const redirect = await get(linkingService, path)
    assert.deepEqual([redirect.statusCode, redirect.headers['cache-control']], [302, 'private, no-store'])
    const response = await fetch(String(redirect.headers.location))
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), store.readObject(path))
    assert.equal(response.headers.get('content-type'), 'image/png')
    assert.equal((await linkingService.anonymous.get(`/media/${path}`)).status, 401)
    assert.equal((await linkingService.nobody.get(`/media/${path}`)).status, 403)
  })
})

describe('stockroom files to-bucket, to-folder', () => {
  const options = { from: folder, into: bucket, remove: false }

  it('copies each referenced file once, and reports missing ones', async () => {
    const [first, second, deleted] = [await upload(folderService), await upload(folderService), await upload(folderService)]
    await folder.remove(deleted)
    writeFileSync(join(media, 'company_images', 'of-nobody.png'), 'x')
    const sorted = [first, second].sort()
    assert.deepEqual(await copyFiles(folderService.pool, options), { copied: sorted, present: 0, missing: [deleted] })
    for (const path of sorted) assert.deepEqual(store.readObject(path), await folder.bytes(path))
    assert.equal(store.readObject('company_images/of-nobody.png'), undefined)
    assert.deepEqual(await copyFiles(folderService.pool, options), { copied: [], present: 2, missing: [deleted] })
  })

  it('continues after an interruption; with --remove, deletes a file from the source only after its copy is complete', async () => {
    await folderService.rows('update company set image = null')
    const paths = [await upload(folderService), await upload(folderService), await upload(folderService)].sort()
    const [first, second, third] = paths as [string, string, string]
    const failingBucket = withWrite((path, content) =>
      path === second ? Promise.reject(new Error('the line is cut')) : bucket.write(path, content),
    )
    await assert.rejects(copyFiles(folderService.pool, { ...options, into: failingBucket, remove: true }), /the line is cut/)
    assert.deepEqual(
      paths.map((path) => [existsSync(join(media, path)), store.readObject(path) !== undefined]),
      [
        [false, true],
        [true, false],
        [true, false],
      ],
    )
    const repeated = await copyFiles(folderService.pool, { ...options, remove: true })
    assert.deepEqual(repeated, { copied: [second, third], present: 1, missing: [] })
    assert.deepEqual(
      paths.map((path) => existsSync(join(media, path))),
      [false, false, false],
    )
    const restored = await copyFiles(folderService.pool, { from: bucket, into: folder, remove: true })
    assert.deepEqual(restored.copied, paths)
    assert.equal((await get(folderService, first)).statusCode, 200)
    assert.equal(store.readObject(first), undefined)
  })

  it('keeps a file in the source if its copy differs', async () => {
    await folderService.rows('update company set image = null')
    const path = await upload(folderService)
    const corruptingBucket = withWrite(async (target) => ({
      ...(await bucket.write(target, [Buffer.from('garbled')])),
      digest: '0',
    }))
    await assert.rejects(
      copyFiles(folderService.pool, { ...options, into: corruptingBucket, remove: true }),
      /differs from the original/,
    )
    assert.deepEqual([existsSync(join(media, path)), store.readObject(path)], [true, undefined])
  })

  it('reports a missing bucket', async () => {
    await assert.rejects(moveFiles(loadConfig({ DATA_DIR: dataDir }), { to: 'bucket', remove: false }), /S3_BUCKET is not set/)
  })
})
