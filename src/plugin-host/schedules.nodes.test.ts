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

type Run = { node: string; response: ServerResponse }

/** The runs of the plugin, in order; each continues when it gets a response. */
const runs: Run[] = []
const address = await listenForCalls(({ names: [node = ''], response: serverResponse }) =>
  runs.push({ node, response: serverResponse }),
)

const database = await createTestDatabase()
after(() => database.drop())
const rows = async (text: string) => (await database.pool.query(text)).rows

const login = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a password of tests' }
async function start(node: string) {
  const { dataDir, write } = createPluginFolder()
  write('clock', `schedule: { tick: { everyMinutes: 60, run: () => fetch('${address}/${node}').then(() => {}) } },`)
  return startNodeProcess(database.url, { DATA_DIR: dataDir, ...login })
}
const nodes = { one: await start('one'), two: await start('two') }

async function patch(path: string, body: object): Promise<void> {
  const response = await fetch(`${nodes.one.url}${path}`, {
    method: 'PATCH',
    headers: { authorization: `Basic ${btoa('admin:a password of tests')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200, await response.text())
}

const jobsSent = async (): Promise<number> =>
  (await rows(`select count(*)::int as count from pgboss.job where name = 'plugin-schedule'`))[0].count

/** Lets an interval pass, and waits for the next run. */
async function nextRun(): Promise<Run> {
  const before = runs.length
  await rows(`update throttle set expire = 0 where key like 'plugin-schedule:%'`)
  await waitUntil(() => runs.length > before, 'nothing runs', 60_000)
  return runs[before] as Run
}

describe('plugin schedules on two nodes', () => {
  it('run an entry once per interval', async () => {
    await patch('/api/settings/global/ENABLE_PLUGINS_SCHEDULE/', { value: true })
    await patch('/api/plugins/activate/', { plugin: 'clock' })
    await waitUntil(() => runs.length > 0, 'nothing runs', 60_000)
    runs[0]?.response.end()
    for (let round = 1; round <= 4; round++) {
      // both have checked again since the previous run
      ;(await nextRun()).response.end()
      assert.equal(runs.length, round + 1)
    }
    assert.equal(await jobsSent(), 5)
  })

  it('are taken over with an interrupted run when one node is killed', { timeout: scaleTimeout(180_000) }, async () => {
    const broken = await nextRun()
    const killed = broken.node as keyof typeof nodes
    const otherNode = killed === 'one' ? 'two' : 'one'
    await nodes[killed].kill()
    const before = runs.length
    // it counts as lost after its time limit
    await rows(`update pgboss.job set started_on = started_on - interval '1 hour' where state = 'active'`)
    await waitUntil(
      async () => {
        await rows(`update pgboss.job set start_after = now() where state = 'retry'`)
        return runs.length > before
      },
      'what was broken off is not done',
      150_000,
    )
    assert.equal(runs[before]?.node, otherNode)
    runs[before]?.response.end()
    const next = await nextRun()
    next.response.end()
    assert.equal(next.node, otherNode)
    assert.equal(await jobsSent(), 7)
  })
})
