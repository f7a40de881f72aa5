import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, describe, it } from 'node:test'
import { hearCalls } from '../testing/calls.ts'
import { testDatabase } from '../testing/database.ts'
import { nodeProcess } from '../testing/node-process.ts'
import { pluginFolder } from '../testing/plugin-folder.ts'
import { patience } from '../testing/slowness.ts'
import { until } from '../testing/until.ts'

// Two services in separate processes, on one database.

type Heard = { node: string; id: number; answer: ServerResponse }

/** The events that the plugin received, in order; a held delivery continues when its request gets a response. */
const heard: Heard[] = []
let isHeld = false
const address = await hearCalls(({ names: [node = '', id], answer }) => {
  heard.push({ node, id: Number(id), answer })
  if (!isHeld) answer.end()
})

const database = await testDatabase()
after(() => database.drop())
const rows = async (text: string) => (await database.pool.query(text)).rows

const login = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a password of tests' }
async function start(node: string) {
  const { dataDir, write } = pluginFolder()
  write(
    'follower',
    `events: { names: ['company_company.created'], handle: ({ id }) => fetch('${address}/${node}/' + id).then(() => {}) },`,
  )
  return nodeProcess(database.url, { DATA_DIR: dataDir, ...login })
}
const nodes: Record<string, Awaited<ReturnType<typeof start>>> = { one: await start('one'), two: await start('two') }

async function send(node: string, method: string, path: string, body: object): Promise<any> {
  const response = await fetch(`${nodes[node]?.url}${path}`, {
    method,
    headers: { authorization: `Basic ${btoa('admin:a password of tests')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  assert.ok(response.ok, text)
  return JSON.parse(text)
}
const make = async (node: string, name: string): Promise<number> => (await send(node, 'POST', '/api/company/', { name })).pk

/** Returns each object once, in order of first receipt. */
const firsts = () => [...new Set(heard.map(({ id }) => id))]

describe('plugin events on two nodes', () => {
  it('are delivered to one of them, in order, whichever node was written to', async () => {
    await send('one', 'PATCH', '/api/settings/global/ENABLE_PLUGINS_EVENTS/', { value: true })
    await send('one', 'PATCH', '/api/plugins/activate/', { plugin: 'follower' })
    await until(async () => (await rows('select from event_reader')).length === 1, 'nobody reads')
    const made: number[] = []
    for (let count = 0; count < 30; count++) made.push(await make(count % 2 ? 'one' : 'two', `Company ${count}`))
    await until(() => heard.length >= 30, 'not all are told')
    assert.deepEqual(
      heard.map(({ id }) => id),
      made,
    )
  })

  it('are delivered by the other node when one is killed during a delivery', { timeout: patience(120_000) }, async () => {
    heard.length = 0
    isHeld = true
    const made = [await make('one', 'Held')]
    await until(() => heard.length === 1, 'it is not told')
    const killed = heard[0]?.node as string
    const other = killed === 'one' ? 'two' : 'one'
    made.push(await make(other, 'Meanwhile'))
    await nodes[killed]?.kill()
    isHeld = false
    made.push(await make(other, 'Afterwards'))
    await until(() => firsts().length === 3, 'what was broken off is not told', 60_000)
    assert.deepEqual(firsts(), made)
    // the held event is delivered again, by the other node
    assert.deepEqual(
      heard.slice(1).map(({ node, id }) => `${node} ${id}`),
      made.map((id) => `${other} ${id}`),
    )
  })

  it('are delivered even if everything is killed between the commit and the delivery', {
    timeout: patience(120_000),
  }, async () => {
    heard.length = 0
    const [survivor] = Object.keys(nodes).filter((name) => nodes[name]?.process.signalCode === null) as [string]
    // committed events get no position in the order while another session holds the lock
    const lock = await database.pool.connect()
    await lock.query(`begin; select pg_advisory_xact_lock(hashtext('events'), 0)`)
    const made: number[] = []
    for (let count = 0; count < 20; count++) made.push(await make(survivor, `Undelivered ${count}`))
    assert.equal(heard.length, 0)
    await nodes[survivor]?.kill()
    await lock.query('commit')
    lock.release()
    nodes.three = await start('three')
    await until(() => heard.length >= 20, 'they are lost', 60_000)
    assert.deepEqual(
      heard.map(({ node, id }) => `${node} ${id}`),
      made.map((id) => `three ${id}`),
    )
  })
})
