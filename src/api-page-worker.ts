import { parentPort, workerData } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

// The thread that makes the page of the interface, and ends.

export type ApiPage = { html: string; script: Uint8Array }

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

const { address } = workerData as { address: string }
const app = Fastify()
await app.register(scalar, { routePrefix: address as '/api-doc', configuration: CONFIGURATION as never })
const [html, script] = await Promise.all([app.inject(`${address}/`), app.inject(`${address}/js/scalar.js`)])
// copied, as what is beneath the buffer belongs to others too
const page: ApiPage = { html: html.payload, script: new Uint8Array(script.rawPayload) }
parentPort?.postMessage(page, [page.script.buffer as ArrayBuffer])
