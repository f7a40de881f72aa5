import { parentPort, workerData } from 'node:worker_threads'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

// Worker thread that makes the page of the API documentation, and ends.

export type ApiPage = { html: string; script: Uint8Array }

/** Hides Scalar's other products and the links to its hosts. */
const CONFIGURATION = {
  url: '/api/schema/',
  pageTitle: 'Stockroom API',
  withDefaultFonts: false,
  telemetry: false,
  favicon: '/static/img/blank_image.thumbnail.png',
  // makes samples contain the prefix of a token
  authentication: { securitySchemes: { tokenAuth: { value: 'Token ' } } },
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  // hides the footer with the name of Scalar, a link to its host
  customCss: '.darklight-reference a[href^="https:"] { display: none }',
}

const { urlPrefix } = workerData as { urlPrefix: string }
const app = Fastify()
await app.register(scalar, { routePrefix: urlPrefix as '/api-doc', configuration: CONFIGURATION as never })
const [html, script] = await Promise.all([app.inject(`${urlPrefix}/`), app.inject(`${urlPrefix}/js/scalar.js`)])
// copied, as other data shares the underlying buffer
const page: ApiPage = { html: html.payload, script: new Uint8Array(script.rawPayload) }
parentPort?.postMessage(page, [page.script.buffer as ArrayBuffer])
