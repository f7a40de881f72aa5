import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'

const service = await testService({ WIRE_FORM: 'inventree' })
const { member, superuser } = service

const URL_ENCODED = 'application/x-www-form-urlencoded'

/** Sends name-value pairs as a form. */
const send = (method: string, path: string, pairs: [string, string][], client = member) =>
  client.send(method, path, new URLSearchParams(pairs).toString(), { 'content-type': URL_ENCODED })

const sendParts = (method: string, path: string, pairs: [string, string][]) =>
  member.send(
    method,
    path,
    `${pairs.map(([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`).join('')}--x--\r\n`,
    { 'content-type': 'multipart/form-data; boundary=x' },
  )

const createCategory = async () =>
  (await member.post('/api/part/category/', { name: `Category ${Math.random()}` })).body.pk as number

describe('WIRE_FORM=inventree: a form', () => {
  it('creates and changes objects, url-encoded or multipart', async () => {
    for (const sendForm of [send, sendParts]) {
      const created = await sendForm('POST', '/api/company/', [
        ['name', ' Forms & Co '],
        ['is_customer', 'true'],
        ['email', ''],
        ['nothing', 'known'],
      ])
      assert.equal(created.status, 201, created.text)
      assert.deepEqual([created.body.name, created.body.is_customer, created.body.email], ['Forms & Co', true, ''])
      const path = `/api/company/${created.body.pk}/`
      assert.equal((await sendForm('PATCH', path, [['active', 'off']])).body.active, false)
      const order: [string, string][] = [
        ['customer', String(created.body.pk)],
        ['target_date', ''],
      ]
      assert.equal((await sendForm('POST', '/api/order/so/', order)).body.target_date, null)
    }
  })

  it('accepts repeated names for a list, and dotted names for nested fields; both may be JSON', async () => {
    const pairs: [string, string][] = [
      ['name', 'Bolt'],
      ['category', String(await createCategory())],
      ['tags', 'steel'],
      ['tags', 'M6'],
    ]
    const stock = { quantity: '5' }
    for (const extraPair of [
      ['initial_stock.quantity', '5'],
      ['initial_stock', JSON.stringify(stock)],
    ] as [string, string][]) {
      const created = await send('POST', '/api/part/', [...pairs, ['IPN', extraPair[0]], extraPair])
      assert.equal(created.status, 201, created.text)
      assert.deepEqual(created.body.tags, ['steel', 'M6'])
      assert.equal((await member.get(`/api/part/${created.body.pk}/`)).body.in_stock, 5)
    }
    const [{ pk }] = (await member.get('/api/stock/')).body
    const counted = await send('POST', '/api/stock/count/', [['items', JSON.stringify([{ pk, quantity: 7 }])]])
    assert.equal(counted.status, 201, counted.text)
    const changed = await send('POST', '/api/stock/change_status/', [
      ['items', String(pk)],
      ['status', '50'],
    ])
    assert.deepEqual(changed.body, { items: [pk], status: 50 })
  })

  it('is rejected for the same errors as a JSON body', async () => {
    assert.deepEqual((await send('POST', '/api/company/', [])).body, { name: ['This field is required.'] })
    const rejection = await send('POST', '/api/company/', [
      ['name', 'A'],
      ['is_supplier', 'perhaps'],
      ['link', 'no'],
    ])
    assert.deepEqual(Object.keys(rejection.body).sort(), ['is_supplier', 'link'])
    const response = await send(
      'POST',
      '/api/stock/change_status/',
      Array.from({ length: 50_000 }, () => ['items', 'x']),
    )
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['items']])
    const { pk } = (await member.post('/api/company/', { name: 'B' })).body
    const pollution = await send('PUT', `/api/company/${pk}/metadata/`, [['__proto__', '{"metadata": 1}']], superuser)
    assert.equal(pollution.status, 400)
  })

  it('works for operations that read their body themselves: metadata, bulk deletion, an action without fields', async () => {
    const created = (await member.post('/api/company/', { name: 'C', is_supplier: true })).body.pk
    const metadata = await send('PUT', `/api/company/${created}/metadata/`, [['metadata', '{"a": [1]}']])
    assert.deepEqual(metadata.body, { metadata: { a: [1] } })
    const { pk } = (await member.post('/api/company/contact/', { company: created, name: 'D' })).body
    assert.equal((await send('DELETE', '/api/company/contact/', [['items', `[${pk}]`]])).status, 204)
    assert.equal((await member.get(`/api/company/contact/${pk}/`)).status, 404)
    const order = (await member.post('/api/order/po/', { supplier: created })).body.pk
    assert.equal((await send('POST', `/api/order/po/${order}/issue/`, [['a', 'b']])).status, 201)
  })

  it('appears in OPTIONS', async () => {
    const mediaTypes = ['application/json', URL_ENCODED, 'multipart/form-data']
    for (const path of ['/api/company/', '/api/stock/count/'])
      assert.deepEqual((await member.send('OPTIONS', path)).body.parses, mediaTypes)
  })
})
