import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import S3rver from '@20minutes/s3rver'

/** The name of the bucket of a test. */
const NAME = 'stored-files'

export type TestBucket = {
  /** The environment of a service that keeps its files here. */
  environment: Record<string, string>
  /** The bytes of an object as they lie on the disk of the store, whatever the store answers; undefined where there is none. */
  stored(key: string): Buffer | undefined
  /** The keys of all objects. */
  keys(): string[]
  /** The store falls silent: nobody gets a connection any more. */
  stop(): Promise<void>
}

/** A store of S3's language with one empty bucket, which ends with the file of tests. */
export async function testBucket(): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'stockroom-bucket-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: NAME, configs: [] }],
  })
  const { port } = await server.run()
  let stopped: Promise<void> | undefined
  const stop = () => {
    server.httpServer.closeAllConnections()
    stopped ??= server.close()
    return stopped
  }
  after(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const OBJECT = '._S3rver_object'
  const folder = join(directory, NAME)
  const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(OBJECT))
  const keys = () => names().map((name) => name.slice(0, -OBJECT.length))
  return {
    environment: {
      S3_BUCKET: NAME,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    stored: (key) => (keys().includes(key) ? readFileSync(join(folder, key + OBJECT)) : undefined),
    keys,
    stop,
  }
}
