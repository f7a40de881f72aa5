import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Services } from '../kit/services/services.ts'
import { bundleFolder, isBundled, WORKER } from './bundled.ts'

/** Where the files of the bundle are. */
const ADDRESS = '/console/'

/**
 * What a browser may do with the console: run and load what comes of this service, and ask it. Nothing is inline.
 * @param pictures where addresses of stored files lead on to, if they do
 */
const policyFor = (pictures: string): string =>
  [
    "default-src 'none'",
    // the decoder of what a camera sees is WebAssembly
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${pictures}`.trim(),
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The site of the bucket to which links to files lead on (S3_SIGNED_LINKS); empty where the service sends files itself. */
async function bucketOf({ files }: Services): Promise<string> {
  const link = await files.link('picture', { type: 'image/png', disposition: 'inline' })
  return link === undefined ? '' : new URL(link).origin
}

/** Below these no address is the console's: the interface, files, and the pages that mails lead to. */
const OTHERS = /^\/(api|api-doc|media|static|plugin|accounts|platform|console)(\/|$)/

/**
 * Whether a request for which there is no route is a browser's for a page of the console: all of them are one file, which reads the address
 * itself.
 */
export function isForConsole({ method, url, headers }: FastifyRequest): boolean {
  const path = url.split('?', 1)[0] as string
  return (method === 'GET' || method === 'HEAD') && Boolean(headers.accept?.includes('text/html')) && !OTHERS.test(path)
}

/**
 * Serves the web console: its files under `/console/`, each of which has the hash of what is in it in its name, and its page.
 * @returns what answers with the page, for each address that `isForConsole`
 */
export async function consoleFiles(
  app: FastifyInstance,
  services: Services,
): Promise<(reply: FastifyReply) => Promise<FastifyReply>> {
  const folder = bundleFolder()
  if (isBundled(folder))
    await app.register(files, {
      root: folder,
      prefix: ADDRESS,
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
      if (!text) return reply.code(503).type('text/plain; charset=utf-8').send(MISSING)
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policyFor(await bucketOf(services)),
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
 * Serves the worker that loads the console without a network, or in its place one that takes it out of browsers (ADR 0040). Browsers ask for
 * it anew whenever they look.
 */
function serveWorker(app: FastifyInstance, { config }: Services, folder: string): void {
  app.get(`/${WORKER}`, async (_request, reply) => {
    const text = config.consoleOffline ? await readFile(join(folder, WORKER), 'utf8').catch(() => ENDING) : ENDING
    return reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
        'cache-control': 'no-cache',
      })
      .send(text)
  })
}

/** Ends what browsers keep of the console, and itself. */
const ENDING = `addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith('stockroom-')) await caches.delete(name)
  await registration.unregister()
})()))
`

const MISSING = `The web console is not bundled: "npm run bundle" shows the reason. The API documentation is at /api-doc/.
`
