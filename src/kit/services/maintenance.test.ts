import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startSecondNode } from '../../testing/second-node.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { Problem } from '../request/problem.ts'

const service = await testService()
const node = await startSecondNode(service)
const { maintenance } = service.app.routes.services
const otherMaintenance = node.routes.services.maintenance

const sendRequest = async (app: typeof node, url = '/api/') => await app.inject({ url })
const acceptsRequests = async (app: typeof node) => (await sendRequest(app)).statusCode === 200

describe('maintenance', () => {
  test('rejects all requests on every node, except for probes, until it is over', async () => {
    const finished = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const heldRun = maintenance.hold(async () => {
      started.resolve()
      await finished.promise
      return 'done'
    })
    await started.promise
    for (const [app, name] of [
      [service.app, 'its own node'],
      [node, 'another node'],
    ] as const) {
      await waitUntil(async () => !(await acceptsRequests(app)), `${name} does not notice the start`)
      for (const url of ['/api/', '/api/part/', '/api-doc/', '/nowhere']) {
        const { statusCode, headers, body } = await sendRequest(app, url)
        assert.equal(statusCode, 503, `${name}: ${url}`)
        assert.equal(headers['retry-after'], '2')
        assert.equal(JSON.parse(body).detail, 'The service is being updated: try again in a moment.')
      }
      for (const url of ['/livez', '/readyz', '/metrics'])
        assert.equal((await sendRequest(app, url)).statusCode, 200, `${name}: ${url}`)
    }
    await assert.rejects(
      otherMaintenance.hold(async () => assert.fail('two at once')),
      (error) => error instanceof Problem && error.status === 503 && error.headers['retry-after'] === '2',
    )
    finished.resolve()
    assert.equal(await heldRun, 'done')
    assert.ok(await acceptsRequests(service.app), 'its own node still rejects requests')
    await waitUntil(() => acceptsRequests(node), 'another node does not notice the end', 5_000)
    assert.deepEqual(await service.rows('select * from maintenance'), [])
  })

  test('ends when its work fails', async () => {
    await assert.rejects(
      maintenance.hold(async () => {
        throw new Error('no')
      }),
      /^Error: no$/,
    )
    assert.deepEqual(await service.rows('select * from maintenance'), [])
    assert.ok(await acceptsRequests(service.app))
  })

  test('lasts longer than a lease if renewed, and ends ten seconds after its holder died', async () => {
    const remaining = () => service.rows('select extract(epoch from until - clock_timestamp())::float as left from maintenance')
    const startTime = Date.now()
    await maintenance.hold(async () => {
      await waitUntil(async () => (await remaining())[0].left < 9, 'the lease does not run out')
      await waitUntil(async () => (await remaining())[0].left > 9.5, 'the lease is not renewed')
      await waitUntil(async () => (await remaining())[0].left < 9, 'the lease does not run out again')
      await waitUntil(async () => (await remaining())[0].left > 9.5, 'the lease is renewed once only')
    })
    assert.ok(Date.now() - startTime > 3_000)
    // the row of a holder that died
    await service.rows(`insert into maintenance values (1, 'dead', clock_timestamp() + interval '1.5 s')`)
    await service.rows(`select pg_notify('maintenance', '1500')`)
    const insertTime = Date.now()
    await waitUntil(async () => !(await acceptsRequests(node)), 'another node does not notice the start')
    await waitUntil(() => acceptsRequests(node), 'the maintenance does not end', 5_000)
    assert.ok(Date.now() - insertTime > 1_000)
    // a node that starts later reads it from the database
    await service.rows(`update maintenance set until = clock_timestamp() + interval '60 s'`)
    assert.ok(!(await acceptsRequests(await startSecondNode(service))), 'a new node does not notice the maintenance')
    await service.rows(`delete from maintenance`)
  })

  test('notifies work that lost its lease, and rejects its further changes', async () => {
    await assert.rejects(
      maintenance.hold(async (lease) => {
        await service.rows(`update maintenance set holder = 'somebody else'`)
        await waitUntil(() => lease.signal.aborted, 'the loss of the lease is not signalled', 5_000)
        await service.app.routes.services.database.transaction((tx) => lease.requireIn(tx))
      }),
      (error) => error instanceof Problem && error.status === 503,
    )
    assert.deepEqual(
      (await service.rows('select holder from maintenance'))[0],
      { holder: 'somebody else' },
      'it deleted the lease of another holder',
    )
    await service.rows(`delete from maintenance`)
  })
})
