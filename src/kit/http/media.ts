import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MEDIA_URL_PREFIX } from '../definition/file.ts'
import { type Caller, requireAccess, signedIn } from '../request/caller.ts'
import { notFound } from '../request/problem.ts'
import { HEAD_BYTES, isPath, type Range, type StoredFile } from '../services/files.ts'
import { createSmallVersion, parseSmallPath } from '../services/pictures.ts'
import type { Services } from '../services/services.ts'
import { methodNotAllowed, ROUTED_METHODS, readHeader } from './http.ts'

/** Uploaded files are served from our site but not trusted: in a browser they run nothing, load nothing and send nothing. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

/** Types that a browser displays itself; it may save all others. */
const INLINE_TYPES = new Set(['image/png', 'image/apng', 'image/jpeg', 'image/gif', 'image/webp'])
/** Further types that are named in the response. Any other type, HTML and SVG above all, is sent as plain bytes. */
const RECOGNIZED_TYPES = new Set([
  'application/pdf',
  'application/zip',
  'image/avif',
  'image/bmp',
  'image/tiff',
  'audio/mpeg',
  'video/mp4',
])
const UNKNOWN_TYPE = 'application/octet-stream'

/** Serves stored files under `/media/` to callers who can view the row that names the file. */
export function registerMediaRoutes(app: FastifyInstance, services: Services): void {
  const url = `${MEDIA_URL_PREFIX}*`
  const onRequest = async ({ caller }: FastifyRequest) => requireAccess(signedIn, caller, 'view')
  app.route({ method: 'GET', url, onRequest, handler: (request, reply) => sendFile(services, request, reply) })
  const allowed = ['GET', 'HEAD']
  app.route({
    method: ROUTED_METHODS.filter((method) => !allowed.includes(method)),
    url,
    onRequest,
    handler: ({ method }) => {
      throw methodNotAllowed(method, allowed)
    },
  })
}

async function sendFile(services: Services, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { files, storedFiles } = services
  const path = (request.params as { '*': string })['*']
  if (!isPath(path)) throw notFound()
  const storedFile = (await storedFiles.find(path, request.caller)) ?? (await findSmallPicture(services, path, request.caller))
  const fileInfo = storedFile && (await files.find(path))
  if (!fileInfo) throw notFound()
  const etag = `"${fileInfo.size.toString(36)}-${fileInfo.modified.toString(36)}"`
  reply.headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-security-policy': CONTENT_SECURITY_POLICY,
  })
  if (matchesETag(readHeader(request, 'if-none-match'), etag)) return reply.code(304).send()
  const type = await detectType(services, path)
  const contentHeaders = {
    type,
    disposition: formatDisposition(INLINE_TYPES.has(type) ? 'inline' : 'attachment', storedFile.name),
  }
  const link = await files.link(path, contentHeaders)
  // the link expires after some minutes, so it must not be cached
  if (link !== undefined) return reply.header('cache-control', 'private, no-store').redirect(link, 302)
  const range = readRange(request, fileInfo, etag)
  if (range === null) return reply.code(416).header('content-range', `bytes */${fileInfo.size}`).send()
  const { start = 0, end = fileInfo.size - 1 } = range ?? {}
  reply.headers({
    'content-type': type,
    'content-length': end - start + 1,
    'content-disposition': contentHeaders.disposition,
  })
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${fileInfo.size}`)
  return reply.send(fileInfo.size === 0 ? Buffer.alloc(0) : files.read(path, { start, end }))
}

/** Finds a smaller version of a picture, which is created when it is first requested. */
async function findSmallPicture(
  services: Services,
  path: string,
  caller: Caller | undefined,
): Promise<{ name: string } | undefined> {
  const large = parseSmallPath(path)
  if (!large) return undefined
  const storedFile = await services.storedFiles.find(large.path, caller)
  return storedFile?.isPicture && (await createSmallVersion(services, path, large, caller?.pk)) ? storedFile : undefined
}

/** The type of a file by its content, regardless of its name. */
async function detectType({ files }: Services, path: string): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type')
  const fileInfo = await fileTypeFromBuffer(await buffer(files.read(path, { start: 0, end: HEAD_BYTES - 1 })))
  return fileInfo && (INLINE_TYPES.has(fileInfo.mime) || RECOGNIZED_TYPES.has(fileInfo.mime)) ? fileInfo.mime : UNKNOWN_TYPE
}

const matchesETag = (tags: string | undefined, etag: string): boolean =>
  tags !== undefined && (tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag))

/** The requested range; undefined for the whole file, null if it is outside the file. Several ranges return the whole file. */
function readRange(request: FastifyRequest, { size }: StoredFile, etag: string): Range | null | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(readHeader(request, 'range')?.trim() ?? '') ?? []
  const isCurrent = (readHeader(request, 'if-range') ?? etag) === etag
  if (from === undefined || to === undefined || (from === '' && to === '') || !isCurrent) return undefined
  if (from !== '' && to !== '' && Number(from) > Number(to)) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end ? null : { start, end }
}

/** Content-Disposition with a name of any characters (RFC 6266). */
export function formatDisposition(kind: 'inline' | 'attachment', name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const encodedName = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encodedName}`}`
}
