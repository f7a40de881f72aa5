import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { storeFile } from '../definition/file.ts'
import type { Shape } from '../definition/input.ts'
import { Problem } from '../request/problem.ts'
import { requestErrors } from '../request/request-errors.ts'
import type { Services } from '../services/services.ts'
import { deleteUploads, type Upload } from '../services/uploads.ts'
import { parseJson } from '../values/json.ts'
import { readHeader } from './http.ts'

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
const MAX_PARTS = 200
/** Maximum size of the headers of one part, in bytes. */
const MAX_HEADER_BYTES = 8_192

/** Accepts multipart/form-data bodies for operations with file fields, and for every operation in the existing clients' wire form. */
export function acceptMultipart(app: FastifyInstance, services: Services): void {
  app.addContentTypeParser(
    TYPE,
    (request: FastifyRequest, payload: Readable, done: (error: Error | null, body?: unknown) => void) => {
      const { form = {}, acceptsFiles } = request.routeOptions.config
      if (!acceptsFiles && !services.config.wire.acceptsForms) return done(new Problem('unsupported_media_type'))
      readForm(request, payload, form, services).then(
        (body) => done(null, body),
        (error) => {
          // the rest of the body is discarded
          payload.unpipe()
          payload.resume()
          done(error instanceof Problem && error.status < 500 ? closeAfter(error) : error)
        },
      )
    },
  )
}

/** Accepts application/x-www-form-urlencoded bodies, as existing clients send them. */
export function acceptUrlEncoded(app: FastifyInstance): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    ({ routeOptions }: FastifyRequest, text, done) => {
      const pairs = new URLSearchParams(text as string)
      const { form } = routeOptions.config
      // operations without fields of their own, such as metadata, read the names themselves
      if (!form) return done(null, Object.fromEntries([...pairs].map(([name, value]) => [name, parseIfJson(value)])))
      const body: Record<string, unknown> = {}
      for (const [name, value] of pairs) addText(body, form, name, value)
      done(null, body)
    },
  )
}

/** The same error, but the connection closes after it. */
const closeAfter = (problem: Problem): Problem => problem.with({ headers: { ...problem.headers, connection: 'close' } })

/**
 * Reads a form into the structure of a JSON body: strings by name, a repeated one as a list, and uploads. Files are streamed to storage as
 * they arrive.
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
  const maxBytes = bodyLimit + files * maxFileBytes
  if (Number(readHeader(request, 'content-length') ?? 0) > maxBytes) throw new Problem('too_large')
  const uploads: Upload[] = []
  const streams: Readable[] = []
  const pendingUploads: Promise<unknown>[] = []
  const body: Record<string, unknown> = {}
  /** Fields for which a file was uploaded: it takes precedence over a string of the same field, such as the URL of the previous file. */
  const fileFields = new Set<string>()
  try {
    await new Promise<void>((resolve, reject) => {
      const parts = createParser(request, { files, bodyLimit })
      let textLength = 0
      let receivedBytes = 0
      parts.on('field', (name, value, _, isTruncated) => {
        textLength += value.length
        if (isTruncated || textLength > bodyLimit) reject(new Problem('too_large'))
        else if (!fileFields.has(name)) addText(body, form, name, value)
      })
      parts.on('file', (name, stream, filename) => {
        const input = Object.hasOwn(form, name) ? form[name] : undefined
        // a form field without a selected file has no name
        if (!input?.file || !filename || fileFields.has(name)) {
          stream.resume()
          return
        }
        fileFields.add(name)
        const { column, folder } = input.file
        body[name] = undefined
        streams.push(stream)
        // readers of the stream get the error too, but nothing may be reading it yet
        stream.on('error', () => {})
        const pendingUpload = storeFile({ services, uploads }, { column, folder, name: filename }, stream).then((upload) => {
          body[name] = upload
        })
        pendingUploads.push(pendingUpload)
        pendingUpload.catch(reject)
      })
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'])
        parts.on(limit, () => reject(new Problem('too_large', requestErrors.too_many_form_parts)))
      parts.on('error', (error: Error) => reject(createFormError(error.message)))
      parts.on('finish', resolve)
      payload.on('data', (chunk: Buffer) => {
        receivedBytes += chunk.length
        if (receivedBytes > maxBytes) reject(new Problem('too_large'))
      })
      payload.on('aborted', () => reject(createFormError('it ended early')))
      payload.on('error', (error) => reject(createFormError(error.message)))
      payload.pipe(parts)
    })
    await Promise.all(pendingUploads)
    return body
  } catch (error) {
    payload.unpipe()
    for (const stream of streams) stream.destroy(error as Error)
    await Promise.allSettled(pendingUploads)
    await deleteUploads(services, uploads)
    throw error
  }
}

const createFormError = (text: string): Problem =>
  new Problem('malformed', requestErrors.invalid_form({ reason: text.slice(0, 200) }))

function createParser({ headers }: FastifyRequest, { files, bodyLimit }: { files: number; bodyLimit: number }) {
  try {
    return new Busboy({
      headers: { ...headers, 'content-type': headers['content-type'] ?? '' },
      limits: {
        parts: MAX_PARTS,
        fields: MAX_PARTS,
        files,
        fieldSize: bodyLimit,
        headerPairs: 20,
        headerSize: MAX_HEADER_BYTES,
      },
    })
  } catch (error) {
    throw createFormError((error as Error).message)
  }
}

/** Adds a string to a body. `list` repeated, or a JSON list, is a list; `object.name` and a JSON object are an object. Unknown names are ignored. */
function addText(body: Record<string, unknown>, form: Shape, name: string, value: string): void {
  const [, fieldName = '', memberName] = /^(\w+)(?:[.[](\w+)\]?)?$/.exec(name) ?? []
  const input = Object.hasOwn(form, fieldName) ? form[fieldName] : undefined
  if (!input) return
  if (input.shape && memberName && Object.hasOwn(input.shape, memberName)) {
    const object = Object.hasOwn(body, fieldName) ? body[fieldName] : {}
    if (typeof object === 'object' && object !== null) body[fieldName] = { ...object, [memberName]: value }
    return
  }
  const parsedValue = input.shape || input.item ? parseIfJson(value) : value
  // an empty string clears a file
  if (input.file) body[fieldName] = value === '' ? null : value
  else if (!input.item) body[fieldName] = parsedValue
  else if (Array.isArray(parsedValue) || value === '') body[fieldName] = parsedValue
  else if (Array.isArray(body[fieldName])) body[fieldName].push(parsedValue)
  else body[fieldName] = [parsedValue]
}

/** Parses a list or an object in JSON. Any other string is returned unchanged. */
function parseIfJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
