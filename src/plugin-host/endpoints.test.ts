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
const setEndpointsEnabled = (value: boolean) => service.superuser.patch('/api/settings/global/ENABLE_PLUGINS_URL/', { value })
const buildUrl = (path: string) => `/plugin/door/${path}`
const readStatus = async () => (await service.superuser.get('/api/plugins/status/')).body
await activate('door')
await activate('no-door')

describe('/plugin/<slug>/', () => {
  it('returns 404 while the setting disables it, which the status reports', async () => {
    assert.equal((await service.viewer.get(buildUrl('echo/it'))).status, 404)
    const readWaiting = async () => (await readStatus()).waiting.filter(({ name }: { name: string }) => name === 'door')
    assert.deepEqual(await readWaiting(), [{ name: 'door', message: 'endpoints: disabled by the setting ENABLE_PLUGINS_URL' }])
    await setEndpointsEnabled(true)
    assert.deepEqual(await readWaiting(), [])
  })

  it('passes the request to the plugin, and returns its response', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const { status, body, headers } = await service.viewer.send(method, `${buildUrl('echo/it')}?a=1&b=%20&a=2`, [
        1,
        { x: null },
      ])
      assert.equal(status, 200)
      assert.deepEqual(body, { method, path: 'echo/it', query: { a: '2', 'a[]': '1,2', b: ' ' }, body: [1, { x: null }] })
      assert.equal(headers['content-type'], 'application/json')
    }
    assert.deepEqual((await service.viewer.get(buildUrl('echo/it'))).body, {
      method: 'GET',
      path: 'echo/it',
      query: {},
      body: null,
    })
    assert.equal((await service.viewer.send('HEAD', buildUrl('echo/it'))).text, '')
    const nothing = await service.viewer.get(buildUrl('nothing'))
    assert.deepEqual([nothing.status, nothing.text], [204, ''])
  })

  it("lets a plugin control neither headers nor the browser's handling of its response", async () => {
    const page = await service.viewer.get(buildUrl('page'))
    assert.equal(page.headers['content-type'], 'text/html')
    assert.equal(page.headers['x-content-type-options'], 'nosniff')
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(String(page.headers['content-security-policy']), /^default-src 'none';.* sandbox$/)
    const teapot = await service.viewer.get(buildUrl('teapot'))
    assert.deepEqual([teapot.status, teapot.body], [418, { detail: 'short and stout' }])
    assert.deepEqual([teapot.headers['set-cookie'], teapot.headers.location], [undefined, undefined])
  })

  it('is available to accounts, and not to pages of other sites', async () => {
    await assertCallers(service, (client) => client.get(buildUrl('echo/it')), [
      'nobody',
      'viewer',
      'member',
      'staff',
      'superuser',
    ])
    assert.equal((await service.anonymous.get('/plugin/nothing/x')).status, 401)
    assert.equal((await service.anonymous.post(buildUrl('echo/it'), {}, { origin: 'https://elsewhere.example' })).status, 403)
  })

  it('rejects unreadable requests and unknown methods', async () => {
    assert.equal((await service.viewer.post(buildUrl('echo/it'), '{')).status, 400)
    assert.equal((await service.viewer.post(buildUrl('echo/it'), `"${'x'.repeat(3_000_000)}"`)).status, 413)
    assert.equal((await service.viewer.post(buildUrl('echo/it'), 'a=b', { 'content-type': 'text/plain' })).status, 415)
    assert.equal((await service.viewer.send('OPTIONS', buildUrl('echo/it'))).status, 405)
  })

  it('returns 404 without a plugin that responds: unknown, without endpoints, disabled', async () => {
    for (const slug of ['unknown', 'no-door', 'inventreelabel', '%00', '..'])
      assert.equal((await service.viewer.get(`/plugin/${slug}/x`)).status, 404, slug)
    await activate('door', false)
    assert.equal((await service.viewer.get(buildUrl('echo/it'))).status, 404)
    await activate('door')
  })

  it('sends requests with the permissions of the caller, and only to the API', async () => {
    const readAs = async (client: keyof typeof clients, path: string) =>
      (await clients[client].get(`${buildUrl('read')}?path=${encodeURIComponent(path)}`)).body?.status
    const clients = { nobody: service.nobody, viewer: service.viewer, superuser: service.superuser }
    assert.equal(await readAs('nobody', '/api/part/'), 403)
    assert.equal(await readAs('viewer', '/api/part/'), 200)
    assert.equal(await readAs('viewer', '/api/user/me/'), 200)
    assert.equal(await readAs('viewer', '/api/plugins/status/'), 403)
    for (const path of ['/api/user/token/', '/api/user/%74okens/', '/api/x/../auth/mfa/', '/api/plugins/', buildUrl('read')])
      assert.notEqual(await readAs('superuser', path), 200, path)
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
      const plain = await service.superuser.get(`${buildUrl('plain')}?path=${encodeURIComponent(path)}`)
      assert.deepEqual([plain.body.status, await readAs('superuser', path)], [403, 403], path)
    }
    // nor indirectly, through an endpoint that reads several URLs
    const requests = { tokens: '/api/user/tokens/', factors: '/api/auth/mfa/' }
    const { body } = await service.superuser.post(`${buildUrl('send')}?path=/api/web/read/`, { requests })
    assert.equal(body.status, 403, JSON.stringify(body))
    const createAs = async (client: keyof typeof clients) =>
      (await clients[client].post(`${buildUrl('send')}?path=/api/part/category/`, { name: `of ${client}` })).body
    assert.equal((await createAs('viewer')).status, 403)
    assert.equal((await createAs('superuser')).status, 201)
    const names = await service.rows('select name from part_category order by name')
    assert.deepEqual(names, [{ name: 'of superuser' }])
  })

  it('returns 503 if the plugin fails, returns nothing or is late, and shows the reason in the status only', async () => {
    const failed = await service.viewer.get(buildUrl('throws'))
    assert.equal(failed.status, 503)
    assert.doesNotMatch(failed.text, /secret/)
    assert.match(JSON.stringify((await readStatus()).registry_errors), /a secret of the plugin/)
    for (const body of [null, [], { status: 302 }, { status: 99 }, { status: '200' }, { text: 5 }, { contentType: 'x' }])
      assert.equal((await service.viewer.post(buildUrl('bad'), body)).status, 503, JSON.stringify(body))
    assert.equal(
      (await service.viewer.post(buildUrl('bad'), { text: 'x', contentType: 'text/plain\r\nset-cookie: a=b' })).status,
      503,
    )
    assert.equal((await service.viewer.get(buildUrl('late'))).status, 503)
  })
})

describe('the internal Authorization header of plugin requests', () => {
  it('cannot be used by others', async () => {
    assert.equal((await service.anonymous.get('/api/part/', { authorization: 'Lent anything' })).status, 401)
  })
})
