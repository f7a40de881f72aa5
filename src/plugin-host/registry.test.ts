import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { App } from '../app.ts'
import { startSecondNode } from '../testing/second-node.ts'
import { testService } from '../testing/service.ts'
import { waitUntil } from '../testing/until.ts'
import { createChildRunner } from './child/in-child.ts'
import { createContextFactory } from './contexts.ts'
import type { DiscoveredPlugin } from './discover.ts'
import { runInProcess } from './in-process.ts'
import { PluginRegistry } from './registry.ts'

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'stockroom-registry-')))
after(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 }))

/** Writes or changes a plugin in the plugin folder. `members` are further lines of its definition. */
function write(slug: string, members = '', before = '', version = '1.0.0'): void {
  const folder = join(dataDir, 'plugins', slug)
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'index.ts'),
    `import { definePlugin } from '@stockroom-inventory/plugin'
     ${before}
     export default definePlugin({ slug: '${slug}', name: 'Plugin ${slug}', version: '${version}', ${members} })`,
  )
}

const createRatesMember = (value: string) => `currencyRates: { rates: () => (${value}) },`

write('rates', createRatesMember(`{ EUR: '0.5' }`))
write('throws-at-import', '', `throw new Error('no way in')`)
write('throws-at-start', `start() { throw new Error('not today') },`)
write('needs-later', `minVersion: '99.0.0',`)
mkdirSync(join(dataDir, 'plugins', 'empty'))
mkdirSync(join(dataDir, 'plugins', 'Not A Slug'))
writeFileSync(join(dataDir, 'plugins', 'a-file.txt'), 'nothing')

const service = await testService({ DATA_DIR: dataDir })
const otherApp = await startSecondNode(service)
const getRegistry = (app: App = service.app) => app.routes.services.plugins as PluginRegistry

const pluginsUrl = '/api/plugins/'
const getPk = async (key: string): Promise<number> =>
  (await service.rows('select pk from plugin_config where key = $1', [key]))[0].pk
const getPlugin = async (key: string) => (await service.superuser.get(`${pluginsUrl}${await getPk(key)}/`)).body
const activate = async (key: string, active = true) =>
  service.superuser.patch(`${pluginsUrl}${await getPk(key)}/activate/`, { active })
const reload = () => service.superuser.post(`${pluginsUrl}reload/`)
const listErrors = async (): Promise<{ stage: string; name: string; message: string }[]> =>
  (await service.superuser.get(`${pluginsUrl}status/`)).body.registry_errors
const findProblem = async (name: string) => (await listErrors()).find((problem) => problem.name === name)
/** Returns the rates from a plugin on a node; undefined if it does not run there. */
const callPlugin = (app: App = service.app, key = 'rates') =>
  getRegistry(app)
    .withHook('currencyRates.rates')
    .find((plugin) => plugin.key === key)
    ?.call(['USD', ['EUR']])

const isRunningOn = (app: App, key: string) => getRegistry(app).isRunning(key)

/** Waits until a condition holds, for at most the second within which other nodes must follow. */
const waitForOtherNode = (done: () => unknown) => waitUntil(done, 'the other node did not follow within a second', 1_000)

describe('a plugin in a folder', () => {
  it('is discovered, and does not run until it is enabled', async () => {
    const { key, name, active, mixins, meta, is_builtin, is_installed, is_package } = await getPlugin('rates')
    assert.deepEqual([key, name, active, is_builtin, is_installed, is_package], ['rates', 'rates', false, false, true, false])
    assert.deepEqual([mixins, meta.slug], [{}, null])
    assert.equal(callPlugin(), undefined)
  })

  it('runs before the response confirms it; the other node follows within a second', async () => {
    assert.deepEqual((await activate('rates')).body, { active: true })
    assert.deepEqual(await callPlugin(), { EUR: '0.5' })
    const { name, meta, mixins } = await getPlugin('rates')
    assert.deepEqual([name, meta.version, meta.package_path], ['Plugin rates', '1.0.0', 'plugins/rates'])
    assert.deepEqual(Object.keys(mixins), ['base', 'currencyexchange'])
    await waitForOtherNode(() => callPlugin(otherApp) !== undefined)
    assert.deepEqual(await callPlugin(otherApp), { EUR: '0.5' })
  })

  it('can be selected as a source of exchange rates while it is enabled', async () => {
    const listChoices = async () =>
      JSON.parse((await service.staff.get('/api/settings/global/CURRENCY_UPDATE_PLUGIN/')).body.choices).map(
        ({ value }: { value: string }) => value,
      )
    assert.deepEqual(await listChoices(), ['', 'inventreecurrencyexchange', 'rates'])
    await service.staff.patch('/api/settings/global/CURRENCY_UPDATE_PLUGIN/', { value: 'rates' })
    assert.equal((await service.staff.post('/api/currency/refresh/')).status, 200)
    assert.equal((await service.viewer.get('/api/currency/exchange/')).body.exchange_rates.EUR, 0.5)
    await service.staff.patch('/api/settings/global/CURRENCY_UPDATE_PLUGIN/', { value: '' })
  })

  it('is reloaded with its changed code, here and on the other node', async () => {
    write('rates', createRatesMember(`{ EUR: '0.75' }`), '', '1.1.0')
    assert.deepEqual(await callPlugin(), { EUR: '0.5' })
    assert.equal((await reload()).status, 201)
    assert.deepEqual(await callPlugin(), { EUR: '0.75' })
    assert.equal((await getPlugin('rates')).meta.version, '1.1.0')
    await waitForOtherNode(async () => JSON.stringify(await callPlugin(otherApp)) === '{"EUR":"0.75"}')
  })

  it('completes its calls in progress before its changed code replaces it', async () => {
    write('slow', `currencyRates: { rates: () => new Promise((resolve) => setTimeout(resolve, 300, { EUR: '1' })) },`)
    await reload()
    await activate('slow')
    const pendingCall = callPlugin(service.app, 'slow')
    write('slow', createRatesMember(`{ EUR: '2' }`))
    await reload()
    assert.deepEqual(await pendingCall, { EUR: '1' })
    assert.deepEqual(await callPlugin(service.app, 'slow'), { EUR: '2' })
    assert.equal(await findProblem('slow'), undefined)
    await activate('slow', false)
  })

  it('has stopped before the response confirms it; its calls are rejected, and the other node follows', async () => {
    const [plugin] = getRegistry()
      .withHook('currencyRates.rates')
      .filter(({ key }) => key === 'rates')
    assert.deepEqual((await activate('rates', false)).body, { active: false })
    assert.equal(callPlugin(), undefined)
    await assert.rejects(async () => plugin?.call(['USD', []]))
    assert.equal((await getPlugin('rates')).meta.slug, null)
    await waitForOtherNode(() => callPlugin(otherApp) === undefined)
  })

  it('stays listed while its folder is missing, and can be disabled', async () => {
    write('comes-and-goes')
    await reload()
    assert.equal((await activate('comes-and-goes')).status, 200)
    rmSync(join(dataDir, 'plugins', 'comes-and-goes'), { recursive: true })
    await reload()
    const { is_installed, active, meta } = await getPlugin('comes-and-goes')
    assert.deepEqual([is_installed, active, meta.slug], [false, true, null])
    assert.equal((await findProblem('comes-and-goes'))?.stage, 'discovery')
    assert.equal((await activate('comes-and-goes', false)).status, 200)
    assert.equal(await findProblem('comes-and-goes'), undefined)
  })
})

describe('a plugin that is removed while a node loads it', () => {
  it('stays enabled on other nodes', async () => {
    await service.pool.query(`insert into plugin_config (key, name, active) values ('taken', 'Taken', true)`)
    const { database, log } = service.app.routes.services
    const folder = join(dataDir, 'plugins', 'taken')
    const removedPlugin: DiscoveredPlugin = {
      key: 'taken',
      origin: 'folder',
      paths: { entry: join(folder, 'index.ts'), folder },
      packageName: null,
      packagePath: 'plugins/taken',
      mixins: [],
    }
    const { settings } = getRegistry()
    const node = new PluginRegistry(getRegistry().packages, {
      database,
      settings,
      // it existed at the time of its discovery
      discover: async () => ({ discovered: new Map([['taken', removedPlugin]]), invalid: [] }),
      runners: { builtIn: runInProcess, other: createChildRunner({ memoryMegabytes: 256, log }) },
      contexts: createContextFactory({
        settings,
        log,
        sendPluginRequest: () => assert.fail('it sends no request'),
        findAccount: async () => undefined,
        download: async () => assert.fail('it fetches nothing'),
        runLater: async () => assert.fail('it runs nothing later'),
      }),
      version: '1.0.0',
      keepsBuiltInsOn: false,
      onChange: () => {},
      log,
    })
    await node.start()
    assert.deepEqual(
      node.problems.filter(({ name }) => name === 'taken').map(({ stage }) => stage),
      ['discovery'],
    )
    assert.equal((await getPlugin('taken')).active, true)
    await node.stop()
    await activate('taken', false)
  })
})

describe('a plugin that is removed while it runs', () => {
  it('stays enabled on other nodes when its process ends', async () => {
    write('leaves', createRatesMember('process.exit(3)'))
    await reload()
    await activate('leaves')
    rmSync(join(dataDir, 'plugins', 'leaves'), { recursive: true })
    await assert.rejects(async () => callPlugin(service.app, 'leaves'))
    await waitUntil(() => !isRunningOn(service.app, 'leaves'), 'it still counts as running')
    const isReported = ({ name, stage }: { name: string; stage: string }) => name === 'leaves' && stage === 'discovery'
    assert.ok((await listErrors()).some(isReported))
    assert.equal((await getPlugin('leaves')).active, true)
    await activate('leaves', false)
  })
})

describe('a plugin that cannot be enabled', () => {
  const rows = () => service.rows('select key, name, active from plugin_config order by pk')

  for (const [key, reason] of [
    ['throws-at-import', /no way in/],
    ['throws-at-start', /not today/],
    ['needs-later', /99\.0\.0/],
  ] as const)
    it(`rejects ${key} with the reason, and leaves it disabled`, async () => {
      const rowsBefore = await rows()
      const response = await activate(key)
      assert.equal(response.status, 400)
      assert.deepEqual(Object.keys(response.body), ['active'])
      assert.match(response.body.active[0], reason)
      assert.deepEqual(await rows(), rowsBefore)
      assert.match((await findProblem(key))?.message ?? '', reason)
    })

  it('prevents all plugins of the same request from being enabled', async () => {
    const rowsBefore = await rows()
    assert.equal((await service.superuser.patch(`${pluginsUrl}activate/`, {})).status, 400)
    assert.deepEqual(await rows(), rowsBefore)
    assert.equal(callPlugin(), undefined)
  })

  it('is disabled and reported when it no longer loads, while the others run', async () => {
    await activate('rates')
    write('broken-later', createRatesMember('{}'))
    await reload()
    await activate('broken-later')
    write('broken-later', '', `throw new Error('broken by now')`)
    await reload()
    assert.equal((await getPlugin('broken-later')).active, false)
    assert.match((await findProblem('broken-later'))?.message ?? '', /broken by now/)
    assert.deepEqual(await callPlugin(), { EUR: '0.75' })
    await activate('rates', false)
  })
})

describe('an invalid entry in the plugin folder', () => {
  it('is reported and has no other effect', async () => {
    await reload()
    assert.deepEqual(
      (await listErrors()).filter(({ stage }) => stage === 'discovery').map(({ name }) => name),
      ['Not A Slug', 'empty'],
    )
  })
})

describe('a plugin that fails while it runs', () => {
  it('is restarted when its process ends, and disabled when that happens again', async () => {
    write('ends', createRatesMember('process.exit(3)'))
    await reload()
    await activate('ends')
    const first = getRegistry().running.find(({ key }) => key === 'ends')
    await assert.rejects(async () => callPlugin(service.app, 'ends'))
    await waitUntil(() => {
      const now = getRegistry().running.find(({ key }) => key === 'ends')
      return now !== undefined && now !== first
    }, 'it was not restarted')
    assert.equal((await getPlugin('ends')).active, true)
    await assert.rejects(async () => callPlugin(service.app, 'ends'))
    await waitUntil(async () => !(await getPlugin('ends')).active, 'it was not disabled')
    assert.match((await findProblem('ends'))?.message ?? '', /it was disabled/)
    await waitForOtherNode(() => !isRunningOn(otherApp, 'ends'))
  })

  it('may throw occasionally, which is reported; twenty errors in a minute disable it', async () => {
    write('throws', createRatesMember(`(() => { throw new Error('no rates today') })()`))
    await reload()
    await activate('throws')
    const assertCallFails = () => assert.rejects(async () => callPlugin(service.app, 'throws'), /no rates today/)
    for (let count = 0; count < 19; count++) await assertCallFails()
    assert.match((await findProblem('throws'))?.message ?? '', /no rates today/)
    assert.equal((await getPlugin('throws')).active, true)
    await assertCallFails()
    await waitUntil(async () => !(await getPlugin('throws')).active, 'it was not disabled')
    assert.match((await findProblem('throws'))?.message ?? '', /it was disabled/)
  })
})

describe('the start of the service', () => {
  it('starts enabled plugins, and continues when one cannot be started', async () => {
    await activate('rates')
    write('bad-at-start', createRatesMember('{}'))
    await reload()
    await activate('bad-at-start')
    write('bad-at-start', `start() { throw new Error('bad by now') },`)
    const node = await startSecondNode(service)
    assert.deepEqual(await callPlugin(node), { EUR: '0.75' })
    assert.equal(callPlugin(node, 'bad-at-start'), undefined)
    assert.match(JSON.stringify(getRegistry(node).problems), /bad by now/)
    await waitUntil(async () => !(await getPlugin('bad-at-start')).active, 'it was not disabled')
  })

  it('has no time limit besides those of its plugins', () => assert.equal(service.app.initialConfig.pluginTimeout, 0))
})

describe('a setting of a plugin', () => {
  it('has its type, and its current value in the next call', async () => {
    write(
      'asks',
      `settings: { FACTOR: { type: 'integer', default: 3, name: 'Factor', description: 'How much.' } },
       currencyRates: { async rates(base, codes, { settings }) { return { EUR: String(2 * await settings.get('FACTOR')) } } },`,
    )
    await reload()
    await activate('asks')
    assert.deepEqual(await callPlugin(service.app, 'asks'), { EUR: '6' })
    assert.equal((await service.staff.patch(`${pluginsUrl}settings/asks/FACTOR/`, { value: 4 })).body.value, '4')
    assert.deepEqual(await callPlugin(service.app, 'asks'), { EUR: '8' })
    await waitUntil(() => isRunningOn(otherApp, 'asks'), 'the other node did not follow')
    assert.deepEqual(await callPlugin(otherApp, 'asks'), { EUR: '8' })
  })
})
