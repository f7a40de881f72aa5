import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../kit/services/services.ts'
import { getBundleFolder, isBundled, WORKER } from './bundled.ts'

/** URL prefix of the bundle's files. */
const URL_PREFIX = '/console/'

/**
 * Content security policy of the console: scripts and other files come from this service, and so do responses. Nothing is inline.
 * @param imageOrigin the origin that URLs of stored files redirect to; empty if they do not redirect
 */
const buildContentPolicy = (imageOrigin: string): string =>
  [
    "default-src 'none'",
    // the barcode decoder for the camera is WebAssembly
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${imageOrigin}`.trim(),
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The origin of the bucket that links to files redirect to (S3_SIGNED_LINKS); empty when the service sends files itself. */
async function getBucketOrigin({ files }: Services): Promise<string> {
  const link = await files.link('picture', { type: 'image/png', disposition: 'inline' })
  return link === undefined ? '' : new URL(link).origin
}

/** Paths that do not belong to the console: the API, files, and the pages that emails link to. */
const RESERVED_PATHS = /^\/(api|api-doc|docs|media|static|plugin|accounts|platform|console)(\/|$)/

/** Whether a request without a route is a browser's request for a page of the console: all pages are one HTML file, whose script reads the path. */
export function isConsoleRequest({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] as string
  return (method === 'GET' || method === 'HEAD') && Boolean(headers.accept?.includes('text/html')) && !RESERVED_PATHS.test(path)
}

/**
 * Serves the web console: its files under `/console/`, each with a hash of its content in its name, and its page.
 * @returns a function that sends the page as the response, for each request that `isConsoleRequest` accepts
 */
export async function serveConsole(
  app: FastifyInstance,
  services: Services,
): Promise<(reply: FastifyReply) => Promise<FastifyReply>> {
  const folder = getBundleFolder()
  if (isBundled(folder))
    await app.register(files, {
      root: folder,
      prefix: URL_PREFIX,
      wildcard: false,
      index: false,
      preCompressed: true,
      immutable: true,
      maxAge: '365 days',
      decorateReply: false,
      globIgnore: ['index.html', WORKER, '**/*.gz', '**/*.br'],
    })
  serveWorker(app, services, folder)
  let page: { text: Buffer; headers: Record<string, string> } | undefined
  return async (reply) => {
    if (!page) {
      const text = await readFile(join(folder, 'index.html')).catch(() => undefined)
      if (!text) return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUNDLED_TEXT)
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': buildContentPolicy(await getBucketOrigin(services)),
        'referrer-policy': 'same-origin',
        'cache-control': 'no-cache',
        etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`,
      }
      page = { text, headers }
    }
    reply.headers(page.headers)
    if (reply.request.headers['if-none-match'] === page.headers.etag) return reply.code(304).send()
    return reply.send(page.text)
  }
}

/**
 * Serves the worker that loads the console without a network, or instead one that removes it from browsers (ADR 0040). Browsers revalidate
 * it at each check.
 */
function serveWorker(app: FastifyInstance, { config }: Services, folder: string): void {
  app.get(`/${WORKER}`, async (_request, reply) => {
    const text = config.consoleOffline
      ? await readFile(join(folder, WORKER), 'utf8').catch(() => UNREGISTERING_WORKER)
      : UNREGISTERING_WORKER
    return reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
        'cache-control': 'no-cache',
      })
      .send(text)
  })
}

/** Deletes the browser's cache of the console, and unregisters itself. */
const UNREGISTERING_WORKER = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('stockroom-')) await caches.delete(name)
  await registration.unregister()
})()))
`

const NOT_BUNDLED_TEXT = `The web console is not bundled: "npm run bundle" shows the reason. The API documentation is at /api-doc/.
`
