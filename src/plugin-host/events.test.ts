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

const listReaders = async (): Promise<string[]> =>
  (await rows('select name from event_reader order by 1')).map(({ name }) => name)
const setEventsEnabled = async (value: boolean) =>
  assert.equal((await superuser.patch('/api/settings/global/ENABLE_PLUGINS_EVENTS/', { value })).status, 200)
const setActive = async (slug: string, active: boolean) =>
  assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: slug, active })).status, 200)
const createCompany = async (name: string): Promise<number> =>
  (await member.post('/api/company/', { name, is_supplier: true })).body.pk
const listDeliveries = (plugin: string) => deliveries.filter((one) => one.plugin === plugin)
const readMetric = async (name: string, reader: string): Promise<number> => {
  const { text } = await service.anonymous.get('/metrics')
  const line = text.split('\n').find((one) => one.startsWith(`${name}{reader="${reader}"}`))
  assert.ok(line, text.slice(-600))
  return Number(line.split(' ').at(-1))
}

describe('plugin events', () => {
  it('are not delivered while a setting disables them', async () => {
    for (const slug of ['placed', 'all', 'fails']) await setActive(slug, true)
    const { body } = await superuser.get('/api/plugins/status/')
    assert.ok(body.waiting.some(({ message }: { message: string }) => message.includes('ENABLE_PLUGINS_EVENTS')))
    assert.deepEqual(await listReaders(), [])
    await createCompany('nobody hears of it')
    await setEventsEnabled(true)
    await waitUntil(async () => (await listReaders()).length === 3, 'not all plugins read events')
    assert.deepEqual(await listReaders(), ['plugin all', 'plugin fails', 'plugin placed'])
  })

  it('are delivered after the commit, with the names of existing clients, and only to plugins that subscribe to them', async () => {
    const supplier = await createCompany('Supplier')
    const order = (await member.post('/api/order/po/', { supplier, reference: 'PO-0001' })).body.pk
    assert.equal((await member.post(`/api/order/po/${order}/issue/`)).status, 201)
    await waitUntil(() => listDeliveries('placed').length > 0, 'the event is not delivered')
    const [first] = listDeliveries('placed')
    assert.ok(first)
    assert.equal(first.status, 200)
    const { at, ...rest } = first.event
    assert.deepEqual(rest, { name: 'purchaseorder.placed', model: 'purchaseorder', id: order, account: service.getPk('member') })
    assert.ok(Math.abs(Date.now() - Date.parse(at as string)) < 60_000)
    await waitUntil(
      () => listDeliveries('all').some((one) => one.event.name === 'purchaseorder.placed'),
      'the event is not delivered',
    )
    assert.deepEqual(
      listDeliveries('all')
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
    await waitUntil(() => listDeliveries('placed').length === 2, 'the event is not delivered')
    assert.equal(listDeliveries('placed')[1]?.event.name, 'order_purchaseorder.deleted')
    assert.equal(listDeliveries('placed')[1]?.status, 404)
  })

  it('are retried for a plugin that fails, which delays no other plugin and is reported in /metrics', async () => {
    await waitUntil(() => listDeliveries('fails').length === 1, 'the event is not delivered')
    isBusy = true
    const [one, two] = [await createCompany('One'), await createCompany('Two')]
    await waitUntil(
      () => listDeliveries('all').some(({ event }) => event.id === two && event.name === 'company_company.created'),
      'another plugin is delayed',
    )
    await waitUntil(async () => (await readMetric('event_failures', 'plugin fails')) > 0, 'the failure is not reported')
    assert.equal(await readMetric('event_backlog', 'plugin fails'), 2)
    assert.ok((await readMetric('event_oldest_seconds', 'plugin fails')) > 0)
    await waitUntil(async () => (await readMetric('event_backlog', 'plugin all')) === 0, 'another plugin has a backlog')
    const { body } = await superuser.get('/api/plugins/status/')
    assert.ok(body.registry_errors.some(({ message }: { message: string }) => message.includes('the other side is busy')))
    isBusy = false
    await waitUntil(() => listDeliveries('fails').length === 3, 'the events are not retried')
    assert.deepEqual(
      listDeliveries('fails')
        .slice(1)
        .map(({ event }) => event.id),
      [one, two],
    )
    await waitUntil(async () => (await readMetric('event_failures', 'plugin fails')) === 0, 'the failure is still reported')
  })

  it('are no longer delivered after a reload of the plugin without a handler, which deletes its reader', async () => {
    write('placed', '')
    assert.equal((await superuser.post('/api/plugins/reload/')).status, 201)
    await waitUntil(async () => !(await listReaders()).includes('plugin placed'), 'its reader still exists')
    assert.deepEqual(await listReaders(), ['plugin all', 'plugin fails'])
    assert.doesNotMatch((await service.anonymous.get('/metrics')).text, /plugin placed/)
  })

  it('are not delivered for the time in which a plugin or the setting is off', async () => {
    await setActive('fails', false)
    await waitUntil(async () => !(await listReaders()).includes('plugin fails'), 'its reader still exists')
    await createCompany('Missed')
    await setActive('fails', true)
    await waitUntil(async () => (await listReaders()).includes('plugin fails'), 'it has no reader')
    const next = await createCompany('Heard')
    await waitUntil(() => listDeliveries('fails').length === 4, 'the event is not delivered')
    assert.equal(listDeliveries('fails')[3]?.event.id, next)
    await setEventsEnabled(false)
    await waitUntil(async () => (await listReaders()).length === 0, 'readers still exist')
  })
})
