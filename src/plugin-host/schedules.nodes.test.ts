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
const callsUrl = await listenForCalls(({ names: [node = ''], response: serverResponse }) =>
  runs.push({ node, response: serverResponse }),
)

const database = await createTestDatabase()
after(() => database.drop())
const rows = async (text: string) => (await database.pool.query(text)).rows

const login = { ADMIN_USERNAME: 'admin', ADMIN_PASSWORD: 'a password of tests' }
async function startNode(node: string) {
  const { dataDir, write } = createPluginFolder()
  write('clock', `schedule: { tick: { everyMinutes: 60, run: () => fetch('${callsUrl}/${node}').then(() => {}) } },`)
  return startNodeProcess(database.url, { DATA_DIR: dataDir, ...login })
}
const nodes = { one: await startNode('one'), two: await startNode('two') }

async function patch(path: string, body: object): Promise<void> {
  const response = await fetch(`${nodes.one.url}${path}`, {
    method: 'PATCH',
    headers: { authorization: `Basic ${btoa('admin:a password of tests')}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200, await response.text())
}

const countJobs = async (): Promise<number> =>
  (await rows(`select count(*)::int as count from pgboss.job where name = 'plugin-schedule'`))[0].count

/** Lets an interval pass, and waits for the next run. */
async function waitForNextRun(): Promise<Run> {
  const runCount = runs.length
  await rows(`update throttle set expire = 0 where key like 'plugin-schedule:%'`)
  await waitUntil(() => runs.length > runCount, 'the plugin does not run', 60_000)
  return runs[runCount] as Run
}

describe('plugin schedules on two nodes', () => {
  it('run an entry once per interval', async () => {
    await patch('/api/settings/global/ENABLE_PLUGINS_SCHEDULE/', { value: true })
    await patch('/api/plugins/activate/', { plugin: 'clock' })
    await waitUntil(() => runs.length > 0, 'the plugin does not run', 60_000)
    runs[0]?.response.end()
    for (let round = 1; round <= 4; round++) {
      // both have checked again since the previous run
      ;(await waitForNextRun()).response.end()
      assert.equal(runs.length, round + 1)
    }
    assert.equal(await countJobs(), 5)
  })

  it('are taken over with an interrupted run when one node is killed', { timeout: scaleTimeout(180_000) }, async () => {
    const interruptedRun = await waitForNextRun()
    const killedNode = interruptedRun.node as keyof typeof nodes
    const otherNode = killedNode === 'one' ? 'two' : 'one'
    await nodes[killedNode].kill()
    const runCount = runs.length
    // it counts as lost after its time limit
    await rows(`update pgboss.job set started_on = started_on - interval '1 hour' where state = 'active'`)
    await waitUntil(
      async () => {
        await rows(`update pgboss.job set start_after = now() where state = 'retry'`)
        return runs.length > runCount
      },
      'the interrupted run is not repeated',
      150_000,
    )
    assert.equal(runs[runCount]?.node, otherNode)
    runs[runCount]?.response.end()
    const next = await waitForNextRun()
    next.response.end()
    assert.equal(next.node, otherNode)
    assert.equal(await countJobs(), 7)
  })
})
