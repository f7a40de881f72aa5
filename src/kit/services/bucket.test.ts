import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../config.ts'
import { startTestBucket } from '../../testing/servers/bucket.ts'
import { Problem } from '../request/problem.ts'
import type { Bucket } from './bucket.ts'
import { FileTooLargeError } from './files.ts'
import { openBucket } from './open-files.ts'

const { environment, readObject, listKeys: keys, stop } = await startTestBucket()
const openTestBucket = (overrides: Record<string, string> = {}) =>
  openBucket(loadConfig({ ...environment, ...overrides }), pino({ level: 'silent' })) as Bucket
const bucket = openTestBucket({ S3_PREFIX: 'our/files' })
const toKey = (path: string) => `our/files/${path}`
/** More than one part, and not a whole number of parts. */
const large = randomBytes(11 * 1024 * 1024 + 7)

describe('files in a bucket', () => {
  it('are stored byte for byte as they were written, even in several parts', async () => {
    for (const [path, content] of [
      ['empty.txt', [Buffer.alloc(0)]],
      ['small.txt', [Buffer.from('a'), Buffer.from('bc')]],
      ['a/b/Größe 1+1.bin', [large.subarray(0, 70_000), large.subarray(70_000)]],
    ] as const) {
      const result = await bucket.write(path, content)
      const fullContent = Buffer.concat(content)
      assert.deepEqual(readObject(toKey(path)), fullContent, path)
      assert.equal(result.size, fullContent.length)
      assert.deepEqual(result.head, fullContent.subarray(0, 4_100))
      assert.deepEqual(await bucket.bytes(path), fullContent, path)
      assert.equal((await bucket.find(path))?.size, fullContent.length)
    }
  })

  it('support ranges, atomic replacement, and removal', async () => {
    await bucket.write('a.txt', [Buffer.from('first')])
    await bucket.write('a.txt', [Buffer.from('second')])
    assert.equal(await text(bucket.read('a.txt', { start: 1, end: 3 })), 'eco')
    await bucket.remove('a.txt')
    await bucket.remove('a.txt')
    assert.equal(await bucket.find('a.txt'), undefined)
    assert.equal(readObject(toKey('a.txt')), undefined)
  })

  it('do not exist if their content is interrupted or too large', async () => {
    const before = keys()
    async function* createBrokenStream() {
      yield large
      throw new Error('its sender went away')
    }
    await assert.rejects(bucket.write('b.bin', createBrokenStream()), /its sender went away/)
    await assert.rejects(bucket.write('c.bin', [large], 6 * 1024 * 1024), FileTooLargeError)
    await assert.rejects(bucket.write('d.bin', [Buffer.from('abc')], 2), FileTooLargeError)
    assert.deepEqual(keys(), before)
  })

  it('stay within the prefix, whatever the path', async () => {
    for (const path of ['../x', '/x', 'a//b', 'a/../../x', '', '.x'])
      await assert.rejects(bucket.write(path, [Buffer.from('a')]), /is not a path/, path)
  })

  it('have a signed link if S3_SIGNED_LINKS is set: valid for any holder, with the media type that it states', async () => {
    await bucket.write('e.txt', [Buffer.from('linked')])
    const contentHeaders = { type: 'application/pdf', disposition: 'attachment; filename="e.txt"' }
    assert.equal(await bucket.link('e.txt', contentHeaders), undefined)
    const link = await openTestBucket({ S3_PREFIX: 'our/files', S3_SIGNED_LINKS: 'true' }).link('e.txt', contentHeaders)
    const response = await fetch(link as string)
    assert.deepEqual([response.status, await response.text()], [200, 'linked'])
    assert.equal(response.headers.get('content-type'), contentHeaders.type)
    assert.equal(response.headers.get('content-disposition'), contentHeaders.disposition)
    const otherLink = (link as string).replace('e.txt', 'small.txt')
    assert.equal((await fetch(otherLink)).status, 403)
    assert.ok(!(link as string).includes(environment.S3_SECRET_ACCESS_KEY?.toLowerCase() as string))
  })

  it('report a missing bucket, and return 503 for errors of the store', async () => {
    assert.match(
      (await openTestBucket({ S3_BUCKET: 'no-such-bucket' }).findProblem()) ?? '',
      /^the bucket no-such-bucket cannot be used/,
    )
    assert.equal(await bucket.findProblem(), undefined)
    await assert.rejects(openTestBucket({ S3_SECRET_ACCESS_KEY: 'wrong' }).write('f.txt', [Buffer.from('a')]), isUnavailable)
    await bucket.clear(Date.now())
    await stop()
    await assert.rejects(bucket.find('e.txt'), isUnavailable)
    await assert.rejects(bucket.bytes('e.txt'), isUnavailable)
    await assert.rejects(bucket.write('f.txt', [large]), isUnavailable)
  })
})

const isUnavailable = (error: unknown) => error instanceof Problem && error.status === 503
