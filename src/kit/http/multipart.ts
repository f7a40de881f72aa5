import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { storeFile } from '../definition/file.ts'
import type { Shape } from '../definition/input.ts'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Services } from '../services/services.ts'
import { type Upload, withdraw } from '../services/uploads.ts'
import { parseJson } from '../values/json.ts'
import { header } from './http.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The fields of the body. */
    form?: Shape
    /** Whether some of them may be files, so that the body may be multipart/form-data. */
    acceptsFiles?: boolean
  }
}

const TYPE = 'multipart/form-data'

/** Maximum number of parts in a form, files and others. */
const PARTS = 200
/** Maximum bytes of the head of one part. */
const MAX_HEADER_BYTES = 8_192

/** Accepts multipart/form-data bodies for operations with file fields, and for every operation in the existing clients' wire form. */
export function readMultipart(app: FastifyInstance, services: Services): void {
  app.addContentTypeParser(
    TYPE,
    (request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: unknown) => void) => {
      const { form = {}, acceptsFiles } = request.routeOptions.config
      if (!acceptsFiles && services.config.wireForm !== 'inventree') return done(new Problem('unsupported_media_type'))
      readForm(request, payload, form, services).then(
        (body) => done(null, body),
        (error) => {
          // the rest of the body is discarded
          payload.unpipe()
          payload.resume()
          done(error instanceof Problem && error.status < 500 ? closing(error) : error)
        },
      )
    },
  )
}

/** Accepts application/x-www-form-urlencoded bodies, as existing clients send them. */
export function readUrlEncoded(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    ({ routeOptions }: FastifyRequest, text, done) => {
      const pairs = new URLSearchParams(text as string)
      const { form } = routeOptions.config
      // operations without fields of their own, such as metadata, read the names themselves
      if (!form) return done(null, Object.fromEntries([...pairs].map(([name, value]) => [name, fromJson(value)])))
      const body: Record<string, unknown> = {}
      for (const [name, value] of pairs) addText(body, form, name, value)
      done(null, body)
    },
  )
}

/** The same error, but the connection closes after it. */
const closing = (problem: Problem): Problem => problem.with({ headers: { ...problem.headers, connection: 'close' } })

/**
 * The body of a form in the form of JSON: texts by name, a repeated one as a list, and uploads. Files are streamed to storage as they
 * arrive.
 * @throws Problem 400, 413
 */
async function readForm(
  request: FastifyRequest,
  payload: Readable,
  form: Shape,
  services: Services,
): Promise<Record<string, unknown>> {
  const { maxFileBytes } = services.config
  const bodyLimit = Math.min(services.config.bodyLimit, request.routeOptions.bodyLimit)
  const files = Object.values(form).filter(({ file }) => file).length
  const room = bodyLimit + files * maxFileBytes
  if (Number(header(request, 'content-length') ?? 0) > room) throw new Problem('too_large')
  const uploads: Upload[] = []
  const streams: Readable[] = []
  const arriving: Promise<unknown>[] = []
  const body: Record<string, unknown> = {}
  /** Fields for which a file was uploaded: it takes precedence over a text of the same field, such as the URL of the previous file. */
  const filed = new Set<string>()
  try {
    await new Promise<void>((resolve, reject) => {
      const parts = open(request, { files, bodyLimit })
      let texts = 0
      let all = 0
      parts.on('field', (name, value, _, isTruncated) => {
        texts += value.length
        if (isTruncated || texts > bodyLimit) reject(new Problem('too_large'))
        else if (!filed.has(name)) addText(body, form, name, value)
      })
      parts.on('file', (name, stream, filename) => {
        const input = Object.hasOwn(form, name) ? form[name] : undefined
        // a form field without a selected file has no name
        if (!input?.file || !filename || filed.has(name)) {
          stream.resume()
          return
        }
        filed.add(name)
        const { column: of, folder } = input.file
        body[name] = undefined
        streams.push(stream)
        // the reader receives the error itself, but there may be no reader yet
        stream.on('error', () => {})
        const arrives = storeFile({ services, uploads }, { of, folder, name: filename }, stream).then((upload) => {
          body[name] = upload
        })
        arriving.push(arrives)
        arrives.catch(reject)
      })
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'])
        parts.on(limit, () => reject(new Problem('too_large', requestErrors.too_many_form_parts)))
      parts.on('error', (error: Error) => reject(malformed(error.message)))
      parts.on('finish', resolve)
      payload.on('data', (piece: Buffer) => {
        all += piece.length
        if (all > room) reject(new Problem('too_large'))
      })
      payload.on('aborted', () => reject(malformed('it ended early')))
      payload.on('error', (error) => reject(malformed(error.message)))
      payload.pipe(parts)
    })
    await Promise.all(arriving)
    return body
  } catch (error) {
    payload.unpipe()
    for (const stream of streams) stream.destroy(error as Error)
    await Promise.allSettled(arriving)
    await withdraw(services, uploads)
    throw error
  }
}

const malformed = (text: string): Problem => new Problem('malformed', requestErrors.invalid_form({ reason: text.slice(0, 200) }))

function open({ headers }: FastifyRequest, { files, bodyLimit }: { files: number; bodyLimit: number }) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        parts: PARTS,
        fields: PARTS,
        files,
        fieldSize: bodyLimit,
        headerPairs: 20,
        headerSize: MAX_HEADER_BYTES,
      },
    })
  } catch (error) {
    throw malformed((error as Error).message)
  }
}

/** Adds a text to a body. `list` repeated, or a JSON list, is a list; `object.name` and a JSON object are an object. Unknown names are ignored. */
function addText(body: Record<string, unknown>, form: Shape, name: string, value: string): void {
  const [, own = '', inner] = /^(\w+)(?:[.[](\w+)\]?)?$/.exec(name) ?? []
  const input = Object.hasOwn(form, own) ? form[own] : undefined
  if (!input) return
  if (input.shape && inner && Object.hasOwn(input.shape, inner)) {
    const object = Object.hasOwn(body, own) ? body[own] : {}
    if (typeof object === 'object' && object !== null) body[own] = { ...object, [inner]: value }
    return
  }
  const read = input.shape || input.item ? fromJson(value) : value
  // the form's way to clear a file
  if (input.file) body[own] = value === '' ? null : value
  else if (!input.item) body[own] = read
  else if (Array.isArray(read) || value === '') body[own] = read
  else if (Array.isArray(body[own])) body[own].push(read)
  else body[own] = [read]
}

/** A list or an object in JSON; any other text is returned unchanged. */
function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
