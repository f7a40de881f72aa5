import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createBuildHelpers } from '../../testing/objects/building.ts'
import { createPluginFolder } from '../../testing/plugin-folder.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { notifyOverdue } from '../notifications/notify-overdue.ts'
import { fillStock, locations } from '../stock/fixture.ts'

/** Events that the plugin reports, in order. */
const receivedEvents: { name: string; model: string; id: number; account: number | null }[] = []
const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const piece of request) parts.push(piece as Buffer)
  receivedEvents.push(JSON.parse(Buffer.concat(parts).toString()))
  response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})

const { dataDir, write } = createPluginFolder()
write(
  'works',
  `events: {
     names: ['build.completed', 'build.cancelled', 'build.overdue_build_order', 'build_build.created'],
     async handle(event) {
       await fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}/', { method: 'POST', body: JSON.stringify(event) })
     },
   },
   validation: {
     reference: (kind, reference) => reference.endsWith('666') ? kind + ' ' + reference + ' is a bad number' : undefined,
     batchCode: (batch) => batch === 'mould' ? 'No mould' : undefined,
     serialNumber: (serial) => serial === '13' ? 'Bad luck' : undefined,
     newBatchCode: () => 'MADE-1',
   },
   barcode: { scan: (text) => text.startsWith('JOB ') ? { kind: 'build', pk: Number(text.slice(4)) } : undefined },`,
)
const service = await testService({ DATA_DIR: dataDir })
const { member, superuser, nobody } = service
const { part, build, bom, act, begin } = createBuildHelpers(service)
const assertRejected = ({ status, body }: { status: number; body: object }, expected: unknown) =>
  assert.deepEqual([status, body], [400, expected])

before(async () => {
  await fillStock(service)
  assert.equal((await superuser.patch('/api/settings/global/ENABLE_PLUGINS_EVENTS/', { value: true })).status, 200)
  assert.equal((await superuser.patch('/api/plugins/activate/', { plugin: 'works', active: true })).status, 200)
  await waitUntil(async () => (await service.rows('select from event_reader')).length > 0, 'no event reader has started')
})

describe('plugins for build orders', () => {
  it('receive events of build orders', async () => {
    const [completedBuild, cancelledBuild, late] = [
      await build(await part({ assembly: true })),
      await build(await part({ assembly: true })),
      await build(await part({ assembly: true })),
    ]
    const [output] = await begin(completedBuild, 1)
    assert.equal((await act(completedBuild, 'complete', { outputs: [{ output }], location: locations.shelf })).status, 201)
    assert.equal((await act(completedBuild, 'finish')).status, 201)
    assert.equal((await act(cancelledBuild, 'cancel')).status, 201)
    await service.rows('update build_order set target_date = current_date - 1 where pk = $1', [late])
    const sendOverdueEvents = () => service.app.routes.services.database.transaction(notifyOverdue)
    await Promise.all([sendOverdueEvents(), sendOverdueEvents()])
    await sendOverdueEvents()
    await waitUntil(() => receivedEvents.length >= 6, 'some events were not reported')
    await service.rows('update build_order set target_date = current_date - 2 where pk = $1', [late])
    await sendOverdueEvents()
    await waitUntil(() => receivedEvents.length >= 7, 'no event for the new target date')
    const account = service.getPk('member')
    const findEvents = (name: string) =>
      receivedEvents.filter((event) => event.name === name).map(({ model, id, account }) => [model, id, account])
    assert.deepEqual(
      findEvents('build_build.created'),
      [completedBuild, cancelledBuild, late].map((pk) => ['build', pk, account]),
    )
    assert.deepEqual(findEvents('build.completed'), [['build', completedBuild, account]])
    assert.deepEqual(findEvents('build.cancelled'), [['build', cancelledBuild, account]])
    assert.deepEqual(findEvents('build.overdue_build_order'), [
      ['build', late, null],
      ['build', late, null],
    ])
  })

  it('can reject references, and batch codes and serial numbers of outputs', async () => {
    const product = await part({ assembly: true, trackable: true })
    assertRejected(await member.post('/api/build/', { reference: 'BO-0666', part: product, quantity: 3 }), {
      reference: ['build BO-0666 is a bad number'],
    })
    const pk = await build(product, 3)
    assertRejected(await member.patch(`/api/build/${pk}/`, { reference: 'BO-1666' }), {
      reference: ['build BO-1666 is a bad number'],
    })
    assertRejected(await act(pk, 'create-output', { quantity: 1, serial_numbers: '7', batch_code: 'mould' }), {
      batch_code: ['No mould'],
    })
    assertRejected(await act(pk, 'create-output', { quantity: 2, serial_numbers: '12-13' }), { serial_numbers: ['Bad luck'] })
    assert.deepEqual(await service.rows('select from stock_item where build = $1', [pk]), [])
    assert.equal((await act(pk, 'create-output', { quantity: 1, serial_numbers: '7' })).status, 201)
    const [createdItem] = await service.rows('select batch, serial from stock_item where build = $1', [pk])
    assert.deepEqual(createdItem, { batch: 'MADE-1', serial: '7' })
    const { actions } = (await member.send('OPTIONS', `/api/build/${pk}/create-output/`)).body
    assert.equal(actions.POST.batch_code.default, 'MADE-1')
    assert.equal(actions.POST.serial_numbers.default, undefined)
  })

  it('find build orders by codes of their own, for callers who can view them', async () => {
    const product = await part({ assembly: true })
    await bom(product, await part(), 2)
    const pk = await build(product)
    const match = await member.post('/api/barcode/', { barcode: `JOB ${pk}` })
    assert.deepEqual([match.status, match.body.build?.pk, match.body.plugin], [201, pk, 'Plugin works'])
    assert.equal((await nobody.post('/api/barcode/', { barcode: `JOB ${pk}` })).status, 400)
    assert.equal((await member.post('/api/barcode/', { barcode: 'JOB 99999' })).status, 400)
  })
})
