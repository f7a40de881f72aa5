import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { createPluginFolder } from '../testing/plugin-folder.ts'
import { testService } from '../testing/service.ts'
import { waitUntil } from '../testing/until.ts'

/** The events that plugins report, in order. */
const deliveries: { plugin: string; event: Record<string, unknown>; status?: number }[] = []
/** Whether requests of plugins are rejected for now. */
let isBusy = false
const server = createServer(async (request, response) => {
  if (isBusy && request.url === '/fails') return void response.writeHead(503).end()
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  deliveries.push({ plugin: (request.url as string).slice(1), ...JSON.parse(Buffer.concat(parts).toString()) })
  response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})

const { dataDir, write } = createPluginFolder()
const writeListener = (slug: string, names: string[] | undefined) =>
  write(
    slug,
    `events: {
       ${names ? `names: ${JSON.stringify(names)},` : ''}
       async handle(event, { read }) {
         const { status } = event.model === 'purchaseorder' ? await read('/api/order/po/' + event.id + '/') : {}
         const address = 'http://127.0.0.1:${(server.address() as AddressInfo).port}/${slug}'
         const { ok } = await fetch(address, { method: 'POST', body: JSON.stringify({ event, status }) })
         if (!ok) throw new Error('the other side is busy')
       },
     },`,
  )
writeListener('placed', ['purchaseorder.placed', 'order_purchaseorder.deleted'])
writeListener('all', undefined)
writeListener('fails', ['company_company.created'])

const service = await testService({ DATA_DIR: dataDir })
const { superuser, member, rows } = service

const readers = async (): Promise<string[]> => (await rows('select name from event_reader order by 1')).map(({ name }) => name)
const switchEvents = async (value: boolean) =>
  assert.equal((await superuser.patch('/api/settings/global/ENABLE_PLUGINS_EVENTS/', { value })).status, 200)
const switchOn = async (slug: string, active: boolean) =>
  assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: slug, active })).status, 200)
const company = async (name: string): Promise<number> => (await member.post('/api/company/', { name, is_supplier: true })).body.pk
const deliveriesTo = (plugin: string) => deliveries.filter((one) => one.plugin === plugin)
const metrics = async (name: string, reader: string): Promise<number> => {
  const { text } = await service.anonymous.get('/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${name}{reader="${reader}"}`))
  assert.ok(line, text.slice(-600))
  return Number(line.split(' ').at(-1))
}

describe('plugin events', () => {
  it('are not delivered while a setting disables them', async () => {
    for (const slug of ['placed', 'all', 'fails']) await switchOn(slug, true)
    const { body } = await superuser.get('/api/plugins/status/')
    assert.ok(body.waiting.some(({ message }: { message: string }) => message.includes('ENABLE_PLUGINS_EVENTS')))
    assert.deepEqual(await readers(), [])
    await company('nobody hears of it')
    await switchEvents(true)
    await waitUntil(async () => (await readers()).length === 3, 'nobody reads')
    assert.deepEqual(await readers(), ['plugin all', 'plugin fails', 'plugin placed'])
  })

  it('are delivered after the commit, with the names of existing clients, and only to plugins that subscribe to them', async () => {
    const supplier = await company('Supplier')
    const order = (await member.post('/api/order/po/', { supplier, reference: 'PO-0001' })).body.pk
    assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
    await waitUntil(() => deliveriesTo('placed').length > 0, 'it is not told')
    const [first] = deliveriesTo('placed')
    assert.ok(first)
    assert.equal(first.status, 200)
    const { at, ...rest } = first.event
    assert.deepEqual(rest, { name: 'purchaseorder.placed', model: 'purchaseorder', id: order, account: service.getPk('member') })
    assert.ok(Math.abs(Date.now() - Date.parse(at as string)) < 60_000)
    await waitUntil(() => deliveriesTo('all').some((one) => one.event.name === 'purchaseorder.placed'), 'it is not told')
    assert.deepEqual(
      deliveriesTo('all')
        .filter(({ event }) => event.model !== 'inventreesetting')
        .map((one) => `${one.event.name} ${one.event.id}`),
      [
        `company_company.created ${supplier}`,
        `order_purchaseorder.created ${order}`,
        `order_purchaseorder.saved ${order}`,
        `purchaseorder.placed ${order}`,
      ],
    )
    assert.equal((await member.delete(`/api/order/po/${order}/`)).status, 204)
    await waitUntil(() => deliveriesTo('placed').length === 2, 'it is not told')
    assert.equal(deliveriesTo('placed')[1]?.event.name, 'order_purchaseorder.deleted')
    assert.equal(deliveriesTo('placed')[1]?.status, 404)
  })

  it('are retried for a plugin that fails, which delays no other plugin and is reported in /metrics', async () => {
    await waitUntil(() => deliveriesTo('fails').length === 1, 'it is not told')
    isBusy = true
    const [one, two] = [await company('One'), await company('Two')]
    await waitUntil(
      () => deliveriesTo('all').some(({ event }) => event.id === two && event.name === 'company_company.created'),
      'others wait',
    )
    await waitUntil(async () => (await metrics('event_failures', 'plugin fails')) > 0, 'it does not fail')
    assert.equal(await metrics('event_backlog', 'plugin fails'), 2)
    assert.ok((await metrics('event_oldest_seconds', 'plugin fails')) > 0)
    await waitUntil(async () => (await metrics('event_backlog', 'plugin all')) === 0, 'it is behind')
    const { body } = await superuser.get('/api/plugins/status/')
    assert.ok(body.registry_errors.some(({ message }: { message: string }) => message.includes('the other side is busy')))
    isBusy = false
    await waitUntil(() => deliveriesTo('fails').length === 3, 'it is not told again')
    assert.deepEqual(
      deliveriesTo('fails')
        .slice(1)
        .map(({ event }) => event.id),
      [one, two],
    )
    await waitUntil(async () => (await metrics('event_failures', 'plugin fails')) === 0, 'it still fails')
  })

  it('are no longer delivered after a reload of the plugin without a handler, which deletes its reader', async () => {
    write('placed', '')
    assert.equal((await superuser.post('/api/plugins/reload/')).status, 201)
    await waitUntil(async () => !(await readers()).includes('plugin placed'), 'it still reads')
    assert.deepEqual(await readers(), ['plugin all', 'plugin fails'])
    assert.doesNotMatch((await service.anonymous.get('/metrics')).text, /plugin placed/)
  })

  it('are not delivered for the time in which a plugin or the setting is off', async () => {
    await switchOn('fails', false)
    await waitUntil(async () => !(await readers()).includes('plugin fails'), 'it still reads')
    await company('Missed')
    await switchOn('fails', true)
    await waitUntil(async () => (await readers()).includes('plugin fails'), 'it does not read')
    const next = await company('Heard')
    await waitUntil(() => deliveriesTo('fails').length === 4, 'it is not told')
    assert.equal(deliveriesTo('fails')[3]?.event.id, next)
    await switchEvents(false)
    await waitUntil(async () => (await readers()).length === 0, 'they still read')
  })
})
