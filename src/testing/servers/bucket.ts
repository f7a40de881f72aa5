import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import S3rver from '@20minutes/s3rver'

/** Name of the bucket, if a test does not choose one. */
const BUCKET_NAME = 'stored-files'

export type TestBucket = {
  /** Environment of a service that stores its files in the bucket. */
  environment: Record<string, string>
  /** Returns the bytes of an object on the disk of the store, independent of its responses; undefined when there is none. */
  readObject(key: string): Buffer | undefined
  /** Returns the keys of all objects. */
  listKeys(): string[]
  /** Stops the store: connections are refused. */
  stop(): Promise<void>
}

/** Starts an S3-compatible store with one empty bucket, which ends with the test file. */
export async function startTestBucket(bucket = BUCKET_NAME): Promise<TestBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'stockroom-bucket-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await server.run()
  let closing: Promise<void> | undefined
  const stop = () => {
    server.httpServer.closeAllConnections()
    closing ??= server.close()
    return closing
  }
  after(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  const OBJECT_SUFFIX = '._S3rver_object'
  const folder = join(directory, bucket)
  const listNames = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(OBJECT_SUFFIX))
  const listKeys = () => listNames().map((name) => name.slice(0, -OBJECT_SUFFIX.length))
  return {
    environment: {
      S3_BUCKET: bucket,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    readObject: (key) => (listKeys().includes(key) ? readFileSync(join(folder, key + OBJECT_SUFFIX)) : undefined),
    listKeys,
    stop,
  }
}
