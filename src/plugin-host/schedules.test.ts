import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { createPluginFolder } from '../testing/plugin-folder.ts'
import { PASSWORD, testService } from '../testing/service.ts'
import { waitUntil } from '../testing/until.ts'
import type { PluginRegistry } from './registry.ts'

/** The runs that plugins report, in order. */
const messages: string[] = []
/** Responses for which runs wait. */
const pendingResponses: ServerResponse[] = []
const server = createServer((request, response) => {
  const text = decodeURIComponent((request.url as string).slice(1))
  messages.push(text)
  if (text.startsWith('hold')) pendingResponses.push(response)
  else response.end()
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const reportCode = `(text) => fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}/' + encodeURIComponent(text))`

const { dataDir, write } = createPluginFolder()
const writeClock = (word: string) =>
  write(
    'clock',
    `schedule: {
       ${word}: { everyMinutes: 60, async run({ read }) {
         const report = ${reportCode}
         try {
           await report('${word} ' + (await read('/api/user/me/')).body.username)
         } catch (error) { await report(error.message) }
       } },
     },`,
  )
writeClock('tick')
write(
  'throws',
  `schedule: {
     all: { everyMinutes: 500000, run: async () => { await (${reportCode})('throws'); throw new Error('no way') } },
     fine: { everyMinutes: 500000, run: () => {} },
   },`,
)
write('ends', `schedule: { all: { everyMinutes: 500000, run: async () => { await (${reportCode})('ends'); process.exit(3) } } },`)
write(
  'asks',
  `start: async ({ runLater }) => { globalThis.atStart = await runLater('quick').catch((error) => error.message) },
   schedule: {
     slow: { everyMinutes: 500000, run: () => (${reportCode})('hold').then(() => {}) },
     quick: { everyMinutes: 500000, run: () => (${reportCode})('quick').then(() => {}) },
   },
   actions: {
     later: async (name, { runLater }) => ({ result: await runLater(name).then(() => 'scheduled', (error) => error.message) }),
     atStart: () => ({ result: globalThis.atStart }),
   },`,
)

const service = await testService({ DATA_DIR: dataDir })
const { superuser } = service
const { jobs, database, plugins } = service.app.routes.services
const QUEUE = 'plugin-schedule'

const activate = async (plugin: string, active = true, client = superuser) =>
  assert.equal((await client.patch('/api/plugins/activate/', { plugin, active })).status, 200)
const setSchedulesEnabled = (value: boolean) => service.staff.patch('/api/settings/global/ENABLE_PLUGINS_SCHEDULE/', { value })
const scheduleRun = async (name: string) =>
  (await service.viewer.post('/api/action/', { action: 'later', data: name })).body.result as string
const readStatus = async () => (await superuser.get('/api/plugins/status/')).body
const listJobStates = async (): Promise<string[]> =>
  (await service.rows('select state from pgboss.job where name = $1 order by created_on', [QUEUE])).map(({ state }) => state)
const areRunsDone = async () => (await listJobStates()).every((state) => ['completed', 'failed'].includes(state))
const enqueueRun = (run: { plugin: string; entry: string; until?: number }) =>
  database.transaction((tx) => jobs.send(tx, QUEUE, run, { owner: run.plugin, name: run.entry }))
/** Lets the interval of the throttle pass. */
const letTimePass = () => service.rows(`update throttle set expire = 0 where key like '${QUEUE}:%'`)
/** Does some work, waits until all runs are done, and returns the messages that they sent. */
async function collectMessages(work: () => unknown): Promise<string[]> {
  const messageCount = messages.length
  await work()
  await waitUntil(areRunsDone, 'the run does not complete')
  return messages.slice(messageCount)
}
/** Waits for the next message. */
async function waitForMessage(): Promise<string | undefined> {
  const messageCount = messages.length
  await waitUntil(() => messages.length > messageCount, 'no message arrives')
  return messages[messageCount]
}

describe("an entry of a plugin's schedule", () => {
  it('does not run while the setting disables it, which the status reports, and runs once it is enabled', async () => {
    await activate('clock')
    const readWaiting = async () => (await readStatus()).waiting.filter(({ name }: { name: string }) => name === 'clock')
    assert.deepEqual(await readWaiting(), [
      { name: 'clock', message: 'schedule: disabled by the setting ENABLE_PLUGINS_SCHEDULE' },
    ])
    assert.deepEqual(await collectMessages(() => enqueueRun({ plugin: 'clock', entry: 'tick' })), [])
    const first = waitForMessage()
    await setSchedulesEnabled(true)
    assert.deepEqual(await readWaiting(), [])
    assert.equal(await first, 'tick superuser', 'it has the permissions of the account that enabled the plugin')
  })

  it('runs once per interval, and again in the next one', async () => {
    const sentCount = (await listJobStates()).length
    for (const round of [1, 2]) {
      const run = waitForMessage()
      await letTimePass()
      assert.equal(await run, 'tick superuser')
      await waitUntil(areRunsDone, 'the run does not complete')
      assert.equal((await listJobStates()).length, sentCount + round)
    }
  })

  it('acts for no account if the one that enabled the plugin is inactive or deleted', async () => {
    const [{ pk }] = await service.rows(
      `insert into user_account (username, password, is_active, is_staff, is_superuser)
       select 'passing', password, true, true, true from user_account where username = 'superuser' returning pk`,
    )
    const authorization = `Basic ${Buffer.from(`passing:${PASSWORD}`).toString('base64')}`
    await activate('clock', false)
    const activated = await service.app.inject({
      method: 'PATCH',
      url: '/api/plugins/activate/',
      headers: { authorization },
      payload: { plugin: 'clock' },
    })
    assert.equal(activated.statusCode, 200, activated.payload)
    const run = () => collectMessages(() => enqueueRun({ plugin: 'clock', entry: 'tick' }))
    assert.deepEqual(await run(), ['tick passing'])
    const noAccountMessage =
      'there is no account for its requests: this call has no caller, and the account that enabled the plugin is gone'
    assert.equal((await superuser.patch(`/api/user/${pk}/`, { is_active: false })).status, 200)
    assert.deepEqual(await run(), [noAccountMessage])
    assert.equal((await superuser.patch(`/api/user/${pk}/`, { is_active: true })).status, 200)
    assert.deepEqual(await run(), ['tick passing'])
    assert.equal((await superuser.delete(`/api/user/${pk}/`)).status, 204)
    assert.deepEqual(await run(), [noAccountMessage])
    await activate('clock')
    assert.deepEqual(await run(), ['tick superuser'])
  })

  it('is skipped when it is too late, when the plugin is disabled, and when the entry no longer exists', async () => {
    assert.deepEqual(await collectMessages(() => enqueueRun({ plugin: 'clock', entry: 'tick', until: Date.now() - 1 })), [])
    assert.deepEqual(await collectMessages(() => enqueueRun({ plugin: 'clock', entry: 'tick', until: Date.now() + 60_000 })), [
      'tick superuser',
    ])
    assert.deepEqual(await collectMessages(() => enqueueRun({ plugin: 'clock', entry: 'tock' })), [])
    await activate('clock', false)
    assert.deepEqual(await collectMessages(() => enqueueRun({ plugin: 'clock', entry: 'tick' })), [])
    assert.deepEqual(await collectMessages(() => enqueueRun({ plugin: 'nothing', entry: 'tick' })), [])
    await activate('clock')
  })

  it('is replaced by a changed entry when the plugin is reloaded', async () => {
    writeClock('tock')
    const run = waitForMessage()
    await superuser.post('/api/plugins/reload/')
    assert.equal(await run, 'tock superuser')
    const nextMessage = waitForMessage()
    await letTimePass()
    assert.equal(await nextMessage, 'tock superuser')
    await waitUntil(areRunsDone, 'the run does not complete')
    await activate('clock', false)
  })

  it('is retried while the plugin is enabled and does not run here', async () => {
    await service.rows(`insert into plugin_config (key, name, active) values ('elsewhere', 'Elsewhere', true)`)
    await enqueueRun({ plugin: 'elsewhere', entry: 'tick' })
    await waitUntil(async () => (await listJobStates()).at(-1) === 'retry', 'it is not retried')
    await service.rows(`update plugin_config set active = false where key = 'elsewhere'`)
    await service.rows(`update pgboss.job set start_after = now() where state = 'retry'`)
    jobs.wake()
    await waitUntil(areRunsDone, 'it is not skipped')
  })

  it('is not retried when it throws, which is reported', async () => {
    const run = waitForMessage()
    await activate('throws')
    assert.equal(await run, 'throws')
    await waitUntil(areRunsDone, 'it does not complete')
    assert.deepEqual((await listJobStates()).slice(-2).sort(), ['completed', 'failed'])
    const { results } = (await superuser.get('/api/background-task/scheduled/')).body
    assert.deepEqual(
      results.flatMap((one: { name: string; func: string; success: boolean }) =>
        one.func === QUEUE ? [[one.name, one.success]] : [],
      ),
      [
        ['throws: all', false],
        ['throws: fine', true],
      ],
    )
    const [failure] = (await superuser.get('/api/background-task/failed/')).body.results
    assert.equal(failure.result, 'throws: schedule.all.run failed: no way')
    const reports = async () => (await superuser.get(`/api/error-report/?request=${failure.pk}`)).body.results
    await waitUntil(async () => (await reports()).length === 1, 'it is not reported')
    assert.match((await reports())[0].info, /^plugin-schedule: Error: throws: schedule\.all\.run failed: no way/)
    assert.deepEqual((await readStatus()).registry_errors, [
      { stage: 'call', name: 'throws', message: 'schedule.all.run failed: no way' },
    ])
    await activate('throws', false)
  })

  it('is retried when the process of the plugin ends, until that happens too often', async () => {
    const isActive = async () => (await service.rows(`select active from plugin_config where key = 'ends'`))[0].active
    const findRunning = () => (plugins as PluginRegistry).running.find(({ key }) => key === 'ends')
    const runRetryNow = async () => {
      await waitUntil(async () => (await listJobStates()).includes('retry'), 'it is not retried')
      await service.rows(`update pgboss.job set start_after = now() where state = 'retry'`)
      jobs.wake()
    }
    const first = waitForMessage()
    await activate('ends')
    const previousRun = findRunning()
    assert.equal(await first, 'ends')
    await waitUntil(() => ![undefined, previousRun].includes(findRunning()), 'the plugin is not restarted')
    const second = waitForMessage()
    await runRetryNow()
    assert.equal(await second, 'ends')
    await waitUntil(async () => !(await isActive()), 'the plugin is not disabled')
    assert.deepEqual(await collectMessages(runRetryNow), [])
    const { registry_errors } = await readStatus()
    assert.match(JSON.stringify(registry_errors), /it was disabled: its process ended unexpectedly \(exit code 3\)/)
  })
})

describe('runLater', () => {
  it('runs an entry once, however often it is requested while it is queued; the runs of one plugin are serialized', async () => {
    const messageCount = messages.length
    await activate('asks')
    const release = async () => {
      await waitUntil(() => pendingResponses.length > 0, 'it does not run')
      for (const response of pendingResponses.splice(0)) response.end()
    }
    await release()
    await waitUntil(
      async () => messages.length === messageCount + 2 && (await areRunsDone()),
      'its entries do not run after it is enabled',
    )
    const words = await collectMessages(async () => {
      assert.equal(await scheduleRun('slow'), 'scheduled')
      await waitUntil(() => pendingResponses.length > 0, 'it does not run')
      for (let count = 0; count < 5; count++) assert.equal(await scheduleRun('quick'), 'scheduled')
      assert.deepEqual((await listJobStates()).slice(-2).sort(), ['active', 'created'])
      await release()
    })
    assert.deepEqual(words, ['hold', 'quick'])
  })

  it('is rejected for unknown entries, during the start of the plugin, and while the setting disables schedules', async () => {
    assert.equal(await scheduleRun('absent'), 'its schedule has no absent')
    assert.equal(await scheduleRun('toString'), 'its schedule has no toString')
    const atStart = await service.viewer.post('/api/action/', { action: 'atStart' })
    assert.equal(atStart.body.result, 'a plugin cannot schedule work while it starts')
    await setSchedulesEnabled(false)
    assert.equal(await scheduleRun('quick'), 'scheduled tasks of plugins are disabled by the setting ENABLE_PLUGINS_SCHEDULE')
  })
})
