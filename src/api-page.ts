import { createHash } from 'node:crypto'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

const ADDRESS = '/api-doc'

/**
 * The OpenAPI document under `/api/schema/`, and a page that shows it under `/api-doc/`. The page needs no other host, and leads to none.
 * @param document makes the document; called when it is first asked for, as most processes that start never are
 */
export async function apiPage(app: FastifyInstance, document: () => unknown): Promise<void> {
  let text: Buffer | undefined
  app.get('/api/schema/', (_request, reply) => {
    text ??= Buffer.from(JSON.stringify(document()))
    return reply.header('content-type', 'application/json').send(text)
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    const isPage = request.routeOptions.url === `${ADDRESS}/` && typeof payload === 'string'
    if (isPage) reply.header('content-security-policy', policyFor(payload))
    done()
  })
  await app.register(scalar, { routePrefix: ADDRESS, configuration: CONFIGURATION as never })
}

/** What the page's maker offers beside the document, and what would lead to its hosts, is left out. */
const CONFIGURATION = {
  url: '/api/schema/',
  pageTitle: 'Stockroom API',
  withDefaultFonts: false,
  telemetry: false,
  favicon: '/static/img/blank_image.thumbnail.png',
  // samples then say the word that stands before a token
  authentication: { securitySchemes: { tokenAuth: { value: 'Token ' } } },
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // its maker's name at the foot of the page, which is a link to its host
  customCss: '.darklight-reference a[href^="https:"] { display: none }',
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
