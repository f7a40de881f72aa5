import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { testService } from '../../testing/service.ts'
import { assertAccessible, cannotBrowse, capturePage, getServiceUrl, openConsole } from '../testing/console.ts'
import { scanCode } from '../testing/scanner.ts'
import { fillWorkshop } from '../testing/workshop.ts'

const service = await testService()
const { locations, items } = await fillWorkshop(service)

/**
 * A proxy between the browser and the service: its connection can be cut and restored, and it can change responses as if they came from
 * another version of the service.
 */
async function startProxy() {
  const serviceUrl = new URL(getServiceUrl(service))
  let change: ((path: string, text: string) => string) | undefined
  let rename = (path: string) => path
  let isCut = false
  const forward = (request: IncomingMessage, response: ServerResponse) => {
    if (isCut) return request.socket.destroy()
    const path = String(request.url)
    const headers = { ...request.headers, 'accept-encoding': 'identity' }
    const upstreamRequest = sendRequest({
      ...{ host: serviceUrl.hostname, port: serviceUrl.port, method: request.method },
      path: rename(path),
      headers,
    })
    upstreamRequest.on('response', async (upstreamResponse) => {
      const parts: Buffer[] = []
      for await (const part of upstreamResponse) parts.push(part as Buffer)
      const { 'content-length': _length, 'transfer-encoding': _coding, etag: _etag, ...rest } = upstreamResponse.headers
      const isText = /javascript|html/.test(String(rest['content-type']))
      const body = Buffer.concat(parts)
      response.writeHead(upstreamResponse.statusCode as number, rest)
      response.end(change && isText ? change(path, body.toString()) : body)
    })
    request.pipe(upstreamRequest)
  }
  const server = createServer(forward).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true
      server.closeAllConnections()
    },
    restore: () => {
      isCut = false
    },
    /** Makes the service appear as another version: its script has another name, and so it has another bundle. */
    changeVersion: () => {
      change = (path, text) =>
        /^\/console\//.test(path)
          ? text
          : text.replaceAll(/main-[A-Z0-9]{8}\.js/g, 'main-ANOTHER1.js').replace(/name:"\w+"/, 'name:"other"')
      rename = (path) => path.replace('main-ANOTHER1.js', main)
    },
    change: (nextChange: typeof change) => {
      change = nextChange
    },
  }
}
let main = ''

/** Waits until the worker of the page has cached the console. */
async function waitForCache(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  main = await page.evaluate(() => document.querySelector('script')?.src.split('/').at(-1) ?? '')
}
const updateWorker = (page: Page) =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update()
  })
/** Lists the paths of all cached files. */
const listCachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const paths: string[] = []
    for (const name of await caches.keys())
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname)
    return paths
  })

describe('the console without a network', { skip: cannotBrowse }, () => {
  it('reloads, records scans and sends them once when the network is back; other pages report that the service is unreachable', async () => {
    const proxy = await startProxy()
    const page = await openConsole(service, 'member', `${proxy.url}/scan/move/?place=${locations.box}`, {
      serviceWorkers: 'allow',
    })
    await page.getByText('Ready to scan').waitFor()
    await waitForCache(page)
    proxy.cut()
    await page.reload()
    await page.getByText('Not ready: the service cannot be reached.').waitFor()
    await page.getByText('This data may be out of date').waitFor()
    await scanCode(page, JSON.stringify({ stockitem: items.board }))
    await page.getByRole('heading', { name: '1 pending scan' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: '1 pending scan' }).waitFor()
    await assertAccessible(page)
    await capturePage(page, 'offline-scan')

    const other = await page.context().newPage()
    for (const path of ['/part/', `/stock/item/${items.board}/`, '/']) {
      await other.goto(proxy.url + path)
      await other.locator('main').getByText('The service cannot be reached').first().waitFor()
    }
    await capturePage(other, 'offline-home')
    await other.close()

    proxy.restore()
    await page
      .getByText(/Sensor board/)
      .first()
      .waitFor()
    await page.getByRole('heading', { name: /pending scan/i }).waitFor({ state: 'detached' })
    await page.getByText('This data may be out of date').waitFor({ state: 'detached' })
    assert.equal((await service.member.get(`/api/stock/${items.board}/`)).body.location, locations.box)
    const { body } = await service.superuser.get('/api/barcode/history/?action=move&limit=10')
    assert.equal(body.count, 1)

    // the worker caches no data of an account, and no responses of the API
    const paths = await listCachedPaths(page)
    assert.ok(paths.length > 10)
    assert.deepEqual(
      paths.filter((path) => path !== '/' && !path.startsWith('/console/')),
      [],
    )
  })

  it('does not use an account that has signed out', async () => {
    const proxy = await startProxy()
    const page = await openConsole(service, 'member', `${proxy.url}/scan/`, { serviceWorkers: 'allow' })
    await page.getByText('Ready to scan').waitFor()
    await waitForCache(page)
    await page.getByRole('button', { name: 'member' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    proxy.cut()
    await page.goto(`${proxy.url}/scan/`)
    await page.getByText('The service cannot be reached').waitFor()
    assert.equal(await page.getByText('Ready to scan').count(), 0)
  })
})

describe('a newer console', { skip: cannotBrowse }, () => {
  it('is loaded, and replaces the open one on the next navigation', async () => {
    const proxy = await startProxy()
    const page = await openConsole(service, 'member', `${proxy.url}/company/`, { serviceWorkers: 'allow' })
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
    await waitForCache(page)
    proxy.changeVersion()
    await updateWorker(page)
    await page.getByText('A new version is available').waitFor()
    await assertAccessible(page)
    await capturePage(page, 'renewed')
    // the cache of the old one is deleted
    await page.waitForFunction(async () => (await caches.keys()).join() === 'stockroom-other')
    const loaded = page.waitForEvent('load')
    await page.getByRole('link', { name: 'Brightwell Components' }).click()
    await loaded
    await page.getByRole('heading', { name: 'Brightwell Components' }).waitFor()
    assert.equal(await page.locator('script[src$="main-ANOTHER1.js"]').count(), 1)
    assert.equal(await page.getByText('A new version is available').count(), 0)
    // also without a network
    proxy.cut()
    await page.reload()
    await page.getByText('The service cannot be reached').first().waitFor()
    assert.equal(await page.locator('script[src$="main-ANOTHER1.js"]').count(), 1)
  })

  it('takes precedence over the cached one while the service responds', async () => {
    const proxy = await startProxy()
    const page = await openConsole(service, 'member', `${proxy.url}/company/`, { serviceWorkers: 'allow' })
    await waitForCache(page)
    proxy.change((path, text) => (path === '/company/' ? '<!doctype html><title>Another</title><p>From the service</p>' : text))
    await page.reload()
    await page.getByText('From the service').waitFor()
  })

  it('is removed from the cache when the service disables caching', async () => {
    const uncachedService = await testService({ CONSOLE_OFFLINE: 'false' })
    const unregisterScript = (await uncachedService.anonymous.get('/service-worker.js')).text
    const proxy = await startProxy()
    const page = await openConsole(service, 'member', `${proxy.url}/company/`, { serviceWorkers: 'allow' })
    await waitForCache(page)
    assert.ok((await listCachedPaths(page)).length > 10)
    proxy.change((path, text) => (path === '/service-worker.js' ? unregisterScript : text))
    await updateWorker(page)
    await page.waitForFunction(async () => (await caches.keys()).length === 0)
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()) === undefined)
    await page.reload()
    await page.getByRole('heading', { name: 'Companies' }).waitFor()
  })
})
