import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import type { ApiPage } from './api-page-worker.ts'
import { entryUrl } from './paths.ts'

const ADDRESS = '/api-doc'
const SCRIPT = 'application/javascript; charset=utf-8'

/**
 * The OpenAPI document under `/api/schema/`, and a page that shows it under `/api-doc/`. The page needs no other host, and leads to none.
 * Both are made when they are first asked for.
 * @param describe gives the document
 */
export function apiPage(app: FastifyInstance, describe: () => unknown): void {
  let document: Buffer | undefined
  app.get('/api/schema/', (_request, reply) => {
    document ??= Buffer.from(JSON.stringify(describe()))
    return reply.header('content-type', 'application/json').send(document)
  })
  let made: Promise<ApiPage> | undefined
  const page = () => {
    made ??= makePage().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
  app.get(ADDRESS, (_request, reply) => reply.redirect(`${ADDRESS}/`, 301))
  app.get(`${ADDRESS}/`, async (_request, reply) => {
    const { html } = await page()
    return reply.header('content-security-policy', policyFor(html)).type('text/html; charset=utf-8').send(html)
  })
  app.get(`${ADDRESS}/js/scalar.js`, async (_request, reply) => {
    const { script } = await page()
    return reply.type(SCRIPT).send(Buffer.from(script.buffer, script.byteOffset, script.byteLength))
  })
}

/** What makes the page takes four times its size, and is needed once: it is loaded beside the service, and goes with its thread. */
async function makePage(): Promise<ApiPage> {
  const worker = new Worker(entryUrl('api-page-worker'), { workerData: { address: ADDRESS } })
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

/** Scripts are those of the page itself, by their hashes, and requests go to this service alone. */
function policyFor(page: string): string {
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
