import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import sharp from 'sharp'
import { loadConfig } from '../../config.ts'
import { PRINTED_SITE } from '../../kit/services/printer.ts'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { BrowserStarter } from './open-browser.ts'
import { ChromiumPrinter } from './printer.ts'
import { unpackBrowser } from './unpack.ts'

const log = pino({ level: 'silent' })
const environment = await preparePrinting()
const printer = new ChromiumPrinter({ config: loadConfig(environment), log })
const folder = mkdtempSync(join(tmpdir(), 'stockroom-sandbox-'))
after(async () => {
  await printer.stop()
  rmSync(folder, { recursive: true })
})

/** A server that must not be reached, and the number of connections to it. */
let server: Server
let connectionCount = 0
let baseUrl: string
before(async () => {
  server = createServer((_request, response) => response.end('reached'))
  server.on('connection', () => connectionCount++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

/** The URLs requested from the resource function. */
let requestedUrls: string[] = []
beforeEach(() => {
  requestedUrls = []
  connectionCount = 0
})

const resource = async (url: string) => {
  requestedUrls.push(url)
  return undefined
}

const page = { width: 210, height: 297 }
const printText = async (html: string): Promise<string> =>
  (await readPdf(await printer.pdf({ html: `<!doctype html>${html}`, resource, page }))).map(({ text }) => text).join('\n')

describe('a printed document', { skip: printingUnsupported }, () => {
  const attempts: Record<string, (url: string) => string> = {
    'a picture': (url) => `<img src="${url}/a"><picture><source srcset="${url}/b"><img src="data:,"></picture>`,
    'an SVG image': (url) => `<svg><image href="${url}/a"/><use href="${url}/b#x"/></svg>`,
    'a style sheet': (url) => `<link rel="stylesheet" href="${url}/a">`,
    'an imported style sheet': (url) => `<style>@import "${url}/a"; @import url(//${url.slice(7)}/b);</style>`,
    'an image in a style': (url) =>
      `<div style="background: url(${url}/a)">x</div><ul style="list-style-image: url(${url}/b)"><li>x</ul>`,
    'a font': (url) => `<style>@font-face { font-family: x; src: url(${url}/a) } p { font-family: x }</style><p>x`,
    'video and audio': (url) =>
      `<video src="${url}/a" poster="${url}/b" autoplay></video><audio src="${url}/c" autoplay></audio>`,
    'a frame': (url) => `<iframe src="${url}/a"></iframe><iframe srcdoc="<img src='${url}/b'>"></iframe>`,
    'a frame with a data URL': (url) => `<iframe src="data:text/html,${encodeURIComponent(`<img src="${url}/a">`)}"></iframe>`,
    'an object': (url) => `<object data="${url}/a"></object><embed src="${url}/b">`,
    'a redirect': (url) => `<meta http-equiv="refresh" content="0; url=${url}/a">Text`,
    'resource hints': (url) =>
      ['prefetch', 'preload', 'preconnect', 'dns-prefetch', 'prerender', 'modulepreload', 'manifest', 'icon']
        .map((rel) => `<link rel="${rel}" href="${url}/${rel}" as="image">`)
        .join(''),
    'a base address': (url) => `<base href="${url}/"><img src="a">`,
    'a script': (url) =>
      `<script src="${url}/a"></script><script>fetch('${url}/b'); new WebSocket('${url.replace('http', 'ws')}/c'); location = '${url}/d'</script>
       <img src="x" onerror="fetch('${url}/e')"><svg onload="fetch('${url}/f')"></svg>`,
    'a form': (url) => `<form action="${url}/a"><input type="submit" autofocus></form>`,
    'a report of a policy violation': (url) =>
      `<meta http-equiv="content-security-policy" content="img-src 'none'; report-uri ${url}/a"><img src="${url}/b">`,
  }
  for (const [name, html] of Object.entries(attempts))
    it(`reaches no server by ${name}`, async () => {
      await printText(html(baseUrl))
      assert.equal(connectionCount, 0)
      // by host name as well as by address
      await printText(html(baseUrl.replace('127.0.0.1', 'localhost')))
      assert.equal(connectionCount, 0)
      assert.ok(
        requestedUrls.every((url) => /^https?:/.test(url)),
        requestedUrls.join(' '),
      )
    })

  it('sends its requests to the resource function', async () => {
    await printText(`<img src="${baseUrl}/a"><link rel="stylesheet" href="//b.example/c"><img src="d">`)
    assert.deepEqual(new Set(requestedUrls), new Set([`${baseUrl}/a`, 'https://b.example/c', `${PRINTED_SITE}d`]))
  })

  it('reads no files', async () => {
    const secret = join(folder, 'secret.txt')
    writeFileSync(secret, 'the secret')
    const picture = join(folder, 'red.png')
    writeFileSync(
      picture,
      await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    )
    const style = join(folder, 'style.css')
    writeFileSync(style, 'p::after { content: "the secret" } body { background: red !important }')
    const html = `<link rel="stylesheet" href="${pathToFileURL(style)}"><style>@import "${pathToFileURL(style)}"; body { margin: 0 }</style>
      <img style="position: absolute" src="${pathToFileURL(picture)}" width="100" height="100"><p>Text
      <iframe src="${pathToFileURL(secret)}"></iframe><object data="${pathToFileURL(secret)}"></object><embed src="${pathToFileURL(secret)}">
      <iframe src="view-source:${pathToFileURL(secret)}"></iframe><iframe src="filesystem:${pathToFileURL(secret)}"></iframe>`
    assert.doesNotMatch(await printText(html), /secret/)
    const png = await printer.png({ html, resource, size: { width: 20, height: 20 }, dpi: 96 })
    const dots = (await sharp(png).removeAlpha().raw().toBuffer()).toString('hex').match(/.{6}/g)
    assert.ok(dots?.includes('ffffff') && !dots.includes('ff0000'))
    assert.deepEqual(requestedUrls, [])
  })

  it('shows no other document, neither instead of itself nor in a frame', async () => {
    const text = await printText(`<meta http-equiv="refresh" content="0; url=data:text/html,Other"><p>Text
      <iframe src="data:text/html,Other"></iframe><object data="data:text/html,Other"></object>`)
    assert.equal(text, 'Text')
  })

  it('runs no scripts', async () => {
    const injectedScript = `document.body.append('ran')`
    const text =
      await printText(`<body onload="${injectedScript}">Text<script>${injectedScript}</script><img src="x" onerror="${injectedScript}">
      <svg onload="${injectedScript}"><script>${injectedScript}</script><animate onbegin="${injectedScript}" attributeName="x" dur="1s"/></svg>
      <iframe srcdoc="<script>parent.${injectedScript}</script>"></iframe><a href="javascript:${injectedScript}" autofocus onfocus="${injectedScript}"></a>
      <details open ontoggle="${injectedScript}"></details><video><source onerror="${injectedScript}"></video><style onload="${injectedScript}"></style>`)
    assert.match(text, /^Text/)
    assert.doesNotMatch(text, /ran/)
  })
})

describe('the printing browser', { skip: printingUnsupported }, () => {
  it('reaches no server by itself, even without interception of its requests', async () => {
    const chromium = await unpackBrowser(environment.DATA_DIR, 0, AbortSignal.timeout(60_000))
    const { browser, ended, kill } = await new BrowserStarter(chromium, log, AbortSignal.timeout(60_000)).open()
    try {
      for (const url of [
        baseUrl,
        baseUrl.replace('127.0.0.1', 'localhost'),
        baseUrl.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
      ]) {
        const tab = await browser.newPage()
        await assert.rejects(tab.goto(url), /ERR_/)
        await tab.setContent(`<img src="${url}/a"><link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="${url}">`)
        await tab.evaluate(`new Promise((resolve) => { new WebSocket('${url.replace('http', 'ws')}').onerror = resolve })`)
        await tab.close()
      }
      assert.equal(connectionCount, 0)
    } finally {
      kill()
      await ended
    }
  })

  it('sees nothing of the environment of the service', async () => {
    // a program in place of the browser that reports its environment
    const program = join(folder, 'program')
    const environmentFile = join(folder, 'seen')
    writeFileSync(program, `#!/bin/sh\nenv > ${environmentFile}\nexit 1\n`, { mode: 0o700 })
    process.env.STOCKROOM_TEST_SECRET = 'the secret'
    await assert.rejects(new BrowserStarter({ executable: program }, log, AbortSignal.timeout(60_000)).open())
    delete process.env.STOCKROOM_TEST_SECRET
    assert.doesNotMatch(readFileSync(environmentFile, 'utf8'), /SECRET/)
  })
})
