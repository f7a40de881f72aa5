import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import type { ApiPage } from './api-page-worker.ts'
import { entryUrl } from './paths.ts'

const URL_PREFIX = '/api-doc'
const SCRIPT_TYPE = 'application/javascript; charset=utf-8'

/**
 * Serves the OpenAPI document under `/api/schema/`, and a page that shows it under `/api-doc/`. The page neither needs nor links to another
 * host. Both are made on the first request.
 * @param describe returns the document
 */
export function serveApiPage(app: FastifyInstance, describe: () => unknown): void {
  let document: Buffer | undefined
  app.get('/api/schema/', (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(describe()))
    return reply.header('content-type', 'application/json').send(document)
  })
  let cachedPage: Promise<ApiPage> | undefined
  const getPage = () => {
    cachedPage ??= makePage().catch((error) => {
      cachedPage = undefined
      throw error
    })
    return cachedPage
  }
  app.get(URL_PREFIX, (_request, reply) => reply.redirect(`${URL_PREFIX}/`, 301))
  app.get(`${URL_PREFIX}/`, async (_request, reply) => {
    const { html } = await getPage()
    return reply.header('content-security-policy', buildContentPolicy(html)).type('text/html; charset=utf-8').send(html)
  })
  app.get(`${URL_PREFIX}/js/scalar.js`, async (_request, reply) => {
    const { script } = await getPage()
    return reply.type(SCRIPT_TYPE).send(Buffer.from(script.buffer, script.byteOffset, script.byteLength))
  })
}

/**
 * Makes the page in a worker thread: its libraries take four times the size of the page and are needed once, so their memory is freed with
 * the thread.
 */
async function makePage(): Promise<ApiPage> {
  const worker = new Worker(entryUrl('api-page-worker'), { workerData: { urlPrefix: URL_PREFIX } })
  try {
    return await new Promise<ApiPage>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(new Error('could not create the API documentation page')))
    })
  } finally {
    await worker.terminate()
  }
}

/** Allows only the scripts of the page itself, by their hashes, and requests to this service alone. */
function buildContentPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script(?![^>]* src=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
