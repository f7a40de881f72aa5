import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPluginFolder } from '../testing/plugin-folder.ts'
import { assertCallers, testService } from '../testing/service.ts'

const { dataDir, write } = createPluginFolder()
write(
  'door',
  `endpoints: {
     async answer({ method, path, query, body }, { read, send }) {
       if (path === 'echo/it') return { body: { method, path, query, body } }
       if (path === 'page') return { text: '<script>alert(1)</script>', contentType: 'text/html' }
       if (path === 'teapot') return { status: 418, body: { detail: 'short and stout' }, headers: { 'set-cookie': 'a=b', location: '/' } }
       if (path === 'nothing') return { status: 204 }
       if (path === 'read') return { body: await read(query.path, { limit: 1, search: 'x&y' }) }
       if (path === 'plain') return { body: await read(query.path) }
       if (path === 'send') return { body: await send('POST', query.path, body) }
       if (path === 'throws') throw new Error('a secret of the plugin')
       if (path === 'late') return new Promise(() => {})
       if (path === 'bad') return body
     },
   },`,
)
write('no-door', `actions: { nothing: () => ({ result: 1 }) },`)

const service = await testService({ DATA_DIR: dataDir })
const activate = async (plugin: string, active = true) =>
  assert.equal((await service.superuser.patch('/api/plugins/activate/', { plugin, active })).status, 200)
const offer = (value: boolean) => service.superuser.patch('/api/settings/global/ENABLE_PLUGINS_URL/', { value })
const at = (path: string) => `/plugin/door/${path}`
const status = async () => (await service.superuser.get('/api/plugins/status/')).body
await activate('door')
await activate('no-door')

describe('/plugin/<slug>/', () => {
  it('returns 404 while the setting disables it, which the status reports', async () => {
    assert.equal((await service.viewer.get(at('echo/it'))).status, 404)
    const waits = async () => (await status()).waiting.filter(({ name }: { name: string }) => name === 'door')
    assert.deepEqual(await waits(), [{ name: 'door', message: 'endpoints: disabled by the setting ENABLE_PLUGINS_URL' }])
    await offer(true)
    assert.deepEqual(await waits(), [])
  })

  it('passes the request to the plugin, and returns its response', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body, headers } = await service.viewer.send(method, `${at('echo/it')}?a=1&b=%20&a=2`, [1, { x: null }])
      assert.equal(status, 200)
      assert.deepEqual(body, { method, path: 'echo/it', query: { a: '2', 'a[]': '1,2', b: ' ' }, body: [1, { x: null }] })
      assert.equal(headers['content-type'], 'application/json')
    }
    assert.deepEqual((await service.viewer.get(at('echo/it'))).body, { method: 'GET', path: 'echo/it', query: {}, body: null })
    assert.equal((await service.viewer.send('HEAD', at('echo/it'))).text, '')
    const nothing = await service.viewer.get(at('nothing'))
    assert.deepEqual([nothing.status, nothing.text], [204, ''])
  })

  it("lets a plugin control neither headers nor the browser's handling of its response", async () => {
    const page = await service.viewer.get(at('page'))
    assert.equal(page.headers['content-type'], 'text/html')
    assert.equal(page.headers['x-content-type-options'], 'nosniff')
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none';.* sandbox$/)
    const teapot = await service.viewer.get(at('teapot'))
    assert.deepEqual([teapot.status, teapot.body], [418, { detail: 'short and stout' }])
    assert.deepEqual([teapot.headers['set-cookie'], teapot.headers.location], [undefined, undefined])
  })

  it('is available to accounts, and not to pages of other sites', async () => {
    await assertCallers(service, (client) => client.get(at('echo/it')), ['nobody', 'viewer', 'member', 'staff', 'superuser'])
    assert.equal((await service.anonymous.get('/plugin/nothing/x')).status, 401)
    assert.equal((await service.anonymous.post(at('echo/it'), {}, { origin: 'https://elsewhere.example' })).status, 403)
  })

  it('rejects unreadable requests and unknown methods', async () => {
    assert.equal((await service.viewer.post(at('echo/it'), '{')).status, 400)
    assert.equal((await service.viewer.post(at('echo/it'), `"${'x'.repeat(3_000_000)}"`)).status, 413)
    assert.equal((await service.viewer.post(at('echo/it'), 'a=b', { 'content-type': 'text/plain' })).status, 415)
    assert.equal((await service.viewer.send('OPTIONS', at('echo/it'))).status, 405)
  })

  it('returns 404 without a plugin that responds: unknown, without endpoints, disabled', async () => {
    for (const slug of ['unknown', 'no-door', 'inventreelabel', '%00', '..'])
      assert.equal((await service.viewer.get(`/plugin/${slug}/x`)).status, 404, slug)
    await activate('door', false)
    assert.equal((await service.viewer.get(at('echo/it'))).status, 404)
    await activate('door')
  })

  it('sends requests with the permissions of the caller, and only to the API', async () => {
    const ask = async (client: keyof typeof asking, path: string) =>
      (await asking[client].get(`${at('read')}?path=${encodeURIComponent(path)}`)).body?.status
    const asking = { nobody: service.nobody, viewer: service.viewer, superuser: service.superuser }
    assert.equal(await ask('nobody', '/api/part/'), 403)
    assert.equal(await ask('viewer', '/api/part/'), 200)
    assert.equal(await ask('viewer', '/api/user/me/'), 200)
    assert.equal(await ask('viewer', '/api/plugins/status/'), 403)
    for (const path of ['/api/user/token/', '/api/user/%74okens/', '/api/x/../auth/mfa/', '/api/plugins/', at('read')])
      assert.notEqual(await ask('superuser', path), 200, path)
    const probes = [
      '/livez',
      '/readyz',
      '/metrics',
      '/metrics?',
      '/metrics#x',
      '/api/../metrics',
      '/api/%2e%2e/metrics',
      '/api/\\..\\..\\metrics',
    ]
    const pages = [
      '/',
      '/api',
      '/api-doc/',
      '/api-doc/js/scalar.js',
      '/static/img/blank_image.png',
      '/media/part_images/x.png',
      '/parts/',
      '/%zz',
    ]
    for (const path of [...probes, ...pages]) {
      const plain = await service.superuser.get(`${at('plain')}?path=${encodeURIComponent(path)}`)
      assert.deepEqual([plain.body.status, await ask('superuser', path)], [403, 403], path)
    }
    // nor indirectly, through an endpoint that reads several URLs
    const requests = { tokens: '/api/user/tokens/', factors: '/api/auth/mfa/' }
    const { body } = await service.superuser.post(`${at('send')}?path=/api/web/read/`, { requests })
    assert.equal(body.status, 403, JSON.stringify(body))
    const make = async (client: keyof typeof asking) =>
      (await asking[client].post(`${at('send')}?path=/api/part/category/`, { name: `of ${client}` })).body
    assert.equal((await make('viewer')).status, 403)
    assert.equal((await make('superuser')).status, 201)
    const names = await service.rows('select name from part_category order by name')
    assert.deepEqual(names, [{ name: 'of superuser' }])
  })

  it('returns 503 if the plugin fails, returns nothing or is late, and shows the reason in the status only', async () => {
    const failed = await service.viewer.get(at('throws'))
    assert.equal(failed.status, 503)
    assert.doesNotMatch(failed.text, /secret/)
    assert.match(JSON.stringify((await status()).registry_errors), /a secret of the plugin/)
    for (const body of [null, [], { status: 302 }, { status: 99 }, { status: '200' }, { text: 5 }, { contentType: 'x' }])
      assert.equal((await service.viewer.post(at('bad'), body)).status, 503, JSON.stringify(body))
    assert.equal((await service.viewer.post(at('bad'), { text: 'x', contentType: 'text/plain\r\nset-cookie: a=b' })).status, 503)
    assert.equal((await service.viewer.get(at('late'))).status, 503)
  })
})

describe('a lent Authorization header', () => {
  it('cannot be used by others', async () => {
    assert.equal((await service.anonymous.get('/api/part/', { authorization: 'Lent anything' })).status, 401)
  })
})
