import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { S3Client } from '@aws-sdk/client-s3'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import {
  type Content,
  type FileHeaders,
  type Files,
  Measure,
  type Range,
  requirePath,
  type StoredFile,
  type WrittenFile,
} from './files.ts'

type Options = Pick<
  Config,
  's3Prefix' | 's3Endpoint' | 's3Region' | 's3PathStyle' | 's3AccessKeyId' | 's3SecretAccessKey' | 's3SignedLinks'
> & { s3Bucket: string }

/** Lifetime of a link, in seconds. */
const LINK_SECONDS = 300
/** Size of one part: the minimum of S3. A larger file is sent in several parts, and one part at a time is held in memory. */
const PART_BYTES = 5 * 1024 * 1024
/** Timeouts in milliseconds: for the store to accept a connection, and for a connection without traffic. */
const STORE_TIMEOUTS = { connectionTimeout: 5_000, socketTimeout: 30_000 }

/**
 * Files in a bucket of S3, or of a compatible store. The key of a file is the prefix and its path. The S3 packages are loaded when the
 * first file is requested.
 *
 * All errors of the store, except for a missing file, are logged and thrown as 503.
 */
export class Bucket implements Files {
  readonly #options: Options
  readonly #log: Logger
  #client: Promise<S3Client> | undefined

  constructor(options: Options, log: Logger) {
    this.#options = options
    this.#log = log
  }

  /** Explains why the bucket cannot be used; undefined if it can. */
  async findProblem(): Promise<string | undefined> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3')
    const { s3Bucket: Bucket } = this.#options
    try {
      await (await this.#open()).send(new GetObjectCommand({ Bucket, Key: '.no-such-object' }))
    } catch (error) {
      // with valid access the response is that there is no such object
      if (!isNotFound(error))
        return `the bucket ${Bucket} cannot be used (${(error as Error).name}); see S3_BUCKET and S3_ENDPOINT`
    }
    return undefined
  }

  /** Writes an empty object and deletes it. @throws the error of the store */
  async tryWrite(): Promise<void> {
    const { DeleteObjectCommand, PutObjectCommand } = await import('@aws-sdk/client-s3')
    const client = await this.#open()
    const key = this.#toObjectKey(`write-check-${randomUUID()}`)
    await client.send(new PutObjectCommand({ ...key, Body: '' }))
    await client.send(new DeleteObjectCommand(key))
  }

  async write(path: string, content: Content, limit = Number.POSITIVE_INFINITY): Promise<WrittenFile> {
    const { Upload } = await import('@aws-sdk/lib-storage')
    const measure = new Measure(limit)
    const body = Readable.from(measure.pass(content), { objectMode: false })
    // an error of the content's sender is not an error of the store
    let contentError: unknown
    body.once('error', (error) => {
      contentError = error
    })
    const client = await this.#open()
    const upload = new Upload({ client, params: { ...this.#toObjectKey(path), Body: body }, queueSize: 1, partSize: PART_BYTES })
    try {
      await upload.done()
    } catch (error) {
      if (contentError !== undefined) throw contentError
      throw this.#logFailure('write', path, error)
    }
    return measure.result()
  }

  async find(path: string): Promise<StoredFile | undefined> {
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3')
    try {
      const { ContentLength = 0, LastModified } = await (await this.#open()).send(new HeadObjectCommand(this.#toObjectKey(path)))
      return { size: ContentLength, modified: LastModified?.getTime() ?? 0 }
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw this.#logFailure('find', path, error)
    }
  }

  read(path: string, range?: Range): Readable {
    return Readable.from(this.#chunks(path, range), { objectMode: false })
  }

  bytes(path: string): Promise<Buffer> {
    return buffer(this.read(path))
  }

  async remove(path: string): Promise<void> {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3')
    try {
      await (await this.#open()).send(new DeleteObjectCommand(this.#toObjectKey(path)))
    } catch (error) {
      if (!isNotFound(error)) throw this.#logFailure('remove', path, error)
    }
  }

  /** Aborts multipart uploads that a crash left behind. A store that cannot list them has to abort them by a lifecycle rule of its own. */
  async clear(before: number): Promise<void> {
    const { AbortMultipartUploadCommand, ListMultipartUploadsCommand } = await import('@aws-sdk/client-s3')
    const client = await this.#open()
    const { s3Bucket: Bucket, s3Prefix } = this.#options
    try {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: s3Prefix && `${s3Prefix}/` }))
      for (const { Key, UploadId, Initiated } of Uploads)
        if (Initiated && Initiated.getTime() < before)
          await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    } catch (error) {
      this.#log.info({ reason: (error as Error).name }, 'the file storage does not list unfinished uploads')
    }
  }

  async link(path: string, { type, disposition }: FileHeaders): Promise<string | undefined> {
    if (!this.#options.s3SignedLinks) return undefined
    const { GetObjectCommand } = await import('@aws-sdk/client-s3')
    const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
    const command = new GetObjectCommand({
      ...this.#toObjectKey(path),
      ResponseContentType: type,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: 'private, no-store',
    })
    return await getSignedUrl(await this.#open(), command, { expiresIn: LINK_SECONDS })
  }

  async *#chunks(path: string, range: Range | undefined): AsyncGenerator<Uint8Array> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3')
    const Range = range && `bytes=${range.start}-${range.end}`
    try {
      const { Body } = await (await this.#open()).send(new GetObjectCommand({ ...this.#toObjectKey(path), Range }))
      yield* Body as Readable
    } catch (error) {
      // an empty file has no first byte
      if ((error as Error).name !== 'InvalidRange') throw this.#logFailure('read', path, error)
    }
  }

  /** Key of a path, which always stays within the prefix. */
  #toObjectKey(path: string): { Bucket: string; Key: string } {
    const { s3Bucket, s3Prefix } = this.#options
    return { Bucket: s3Bucket, Key: [...(s3Prefix ? [s3Prefix] : []), requirePath(path)].join('/') }
  }

  #open(): Promise<S3Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<S3Client> {
    const { S3Client } = await import('@aws-sdk/client-s3')
    const { s3Endpoint, s3Region, s3PathStyle, s3AccessKeyId, s3SecretAccessKey } = this.#options
    return new S3Client({
      region: s3Region,
      forcePathStyle: s3PathStyle,
      requestHandler: STORE_TIMEOUTS,
      // stores other than AWS support no other checksums, or store them as a part of the file
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(s3Endpoint === undefined ? {} : { endpoint: s3Endpoint }),
      ...(s3AccessKeyId && s3SecretAccessKey
        ? { credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey } }
        : {}),
    })
  }

  #logFailure(operation: string, path: string, error: unknown): Problem {
    const { name, message } = error as Error
    this.#log.error({ what: operation, path, reason: `${name}: ${message}` }, 'the file storage rejected a request')
    return new Problem('unavailable', requestErrors.file_store_unreachable, { 'retry-after': '5' })
  }
}

const isNotFound = (error: unknown): boolean => ['NotFound', 'NoSuchKey'].includes((error as Error).name)
