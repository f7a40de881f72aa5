import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getDocsFolder, isDocsBundled } from './bundled.ts'

const URL_PREFIX = '/docs'

/** Everything comes from this service; nothing is inline. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the documents under `/docs/`, to everyone: their pages, and their files, each with a hash of its content in its name. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  app.get(URL_PREFIX, (_request, reply) => reply.redirect(`${URL_PREFIX}/`, 301))
  const folder = getDocsFolder()
  if (!isDocsBundled(folder)) {
    app.get(`${URL_PREFIX}/`, (_request, reply) => reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUNDLED_TEXT))
    return
  }
  await app.register(files, {
    root: join(folder, 'files'),
    prefix: `${URL_PREFIX}/files/`,
    wildcard: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '365 days',
    decorateReply: false,
    globIgnore: ['**/*.gz', '**/*.br'],
  })
  for (const path of globSync('**/index.html', { cwd: folder })) {
    const name = dirname(path).replaceAll('\\', '/')
    const url = name === '.' ? `${URL_PREFIX}/` : `${URL_PREFIX}/${name}/`
    app.get(url, createPageHandler(join(folder, path)))
    if (name !== '.') app.get(url.slice(0, -1), (_request, reply) => reply.redirect(url, 301))
  }
}

/** Encodings of the compressed copies, the smaller first, with their extensions. Browsers accept the first over HTTPS only. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Returns a function that sends a page, compressed if the browser accepts that. */
function createPageHandler(file: string): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let hash: string | undefined
  return async ({ headers }, reply) => {
    hash ??= createHash('sha256')
      .update(await readFile(file))
      .digest('base64url')
      .slice(0, 16)
    const accepted = String(headers['accept-encoding'] ?? '').split(/[\s,;]+/)
    const [encoding, extension] = ENCODINGS.find(([name]) => accepted.includes(name)) ?? ['identity', '']
    const etag = `"${hash}${extension}"`
    reply.headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'same-origin',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      etag,
    })
    if (headers['if-none-match'] === etag) return reply.code(304).send()
    if (extension) reply.header('content-encoding', encoding)
    return reply.send(await readFile(file + extension))
  }
}

const NOT_BUNDLED_TEXT = `The guides are not bundled: "npm run bundle" shows the reason. They are in the folder docs of the repository.
`
