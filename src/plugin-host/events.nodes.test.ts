import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { listenForCalls } from '../testing/calls.ts'
import { createTestDatabase } from '../testing/database.ts'
import { startNodeProcess } from '../testing/node-process.ts'
import { createPluginFolder } from '../testing/plugin-folder.ts'
import { scaleTimeout } from '../testing/slowness.ts'
import { waitUntil } from '../testing/until.ts'

// Two services in separate processes, on one database.

type Delivery = { node: string; id: number; response: ServerResponse }

/** The events that the plugin received, in order; a blocked delivery continues when its request gets a response. */
const deliveries: Delivery[] = []
let isBlocked = false
const callsUrl = await listenForCalls(({ names: [node = '', id], response: serverResponse }) => {
  deliveries.push({ node, id: Number(id), response: serverResponse })
  if (!isBlocked) serverResponse.end()
})

const database = await createTestDatabase()
after(() => database.drop())
const rows = async (text: string) => (await database.pool.query(text)).rows

const login = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a password of tests' }
async function startNode(node: string) {
  const { dataDir, write } = createPluginFolder()
  write(
    'follower',
    `events: { names: ['company_company.created'], handle: ({ id }) => fetch('${callsUrl}/${node}/' + id).then(() => {}) },`,
  )
  return startNodeProcess(database.url, { DATA_DIR: dataDir, ...login })
}
const nodes: Record<string, Awaited<ReturnType<typeof startNode>>> = { one: await startNode('one'), two: await startNode('two') }

async function sendRequest(node: string, method: string, path: string, body: object): Promise<any> {
  const response = await fetch(`${nodes[node]?.url}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa('admin:a password of tests')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  assert.ok(response.ok, text)
  return JSON.parse(text)
}
const createCompany = async (node: string, name: string): Promise<number> =>
  (await sendRequest(node, 'POST', '/api/company/', { name })).pk

/** Returns each object once, in order of first receipt. */
const uniqueIds = () => [...new Set(deliveries.map(({ id }) => id))]

describe('plugin events on two nodes', () => {
  it('are delivered to one of them, in order, whichever node was written to', async () => {
    await sendRequest('one', 'PATCH', '/api/settings/global/ENABLE_PLUGINS_EVENTS/', { value: true })
    await sendRequest('one', 'PATCH', '/api/plugins/activate/', { plugin: 'follower' })
    await waitUntil(async () => (await rows('select from event_reader')).length === 1, 'no node reads the events')
    const createdIds: number[] = []
    for (let count = 0; count < 30; count++) createdIds.push(await createCompany(count % 2 ? 'one' : 'two', `Company ${count}`))
    await waitUntil(() => deliveries.length >= 30, 'not all events are delivered')
    assert.deepEqual(
      deliveries.map(({ id }) => id),
      createdIds,
    )
  })

  it('are delivered by the other node when one is killed during a delivery', { timeout: scaleTimeout(120_000) }, async () => {
    deliveries.length = 0
    isBlocked = true
    const createdIds = [await createCompany('one', 'Held')]
    await waitUntil(() => deliveries.length === 1, 'the event is not delivered')
    const killedNode = deliveries[0]?.node as string
    const otherNode = killedNode === 'one' ? 'two' : 'one'
    createdIds.push(await createCompany(otherNode, 'Meanwhile'))
    await nodes[killedNode]?.kill()
    isBlocked = false
    createdIds.push(await createCompany(otherNode, 'Afterwards'))
    await waitUntil(() => uniqueIds().length === 3, 'the interrupted delivery is not repeated', 60_000)
    assert.deepEqual(uniqueIds(), createdIds)
    // the blocked event is delivered again, by the other node
    assert.deepEqual(
      deliveries.slice(1).map(({ node, id }) => `${node} ${id}`),
      createdIds.map((id) => `${otherNode} ${id}`),
    )
  })

  it('are delivered even if everything is killed between the commit and the delivery', {
    timeout: scaleTimeout(120_000),
  }, async () => {
    deliveries.length = 0
    const [survivor] = Object.keys(nodes).filter((name) => nodes[name]?.process.signalCode === null) as [string]
    // committed events get no position in the order while another session holds the lock
    const lock = await database.pool.connect()
    await lock.query(`begin; select pg_advisory_xact_lock(hashtext('events'), 0)`)
    const createdIds: number[] = []
    for (let count = 0; count < 20; count++) createdIds.push(await createCompany(survivor, `Undelivered ${count}`))
    assert.equal(deliveries.length, 0)
    await nodes[survivor]?.kill()
    await lock.query('commit')
    lock.release()
    nodes.three = await startNode('three')
    await waitUntil(() => deliveries.length >= 20, 'the events are lost', 60_000)
    assert.deepEqual(
      deliveries.map(({ node, id }) => `${node} ${id}`),
      createdIds.map((id) => `three ${id}`),
    )
  })
})
