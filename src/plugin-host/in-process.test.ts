import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { pluginChild } from '../paths.ts'
import { createContextCalls, writePluginFiles } from '../testing/plugins.ts'
import { runInProcess } from './in-process.ts'
import { PluginFailure, type RunningPlugin } from './running.ts'

const api = JSON.stringify(pathToFileURL(pluginChild.api).href)
const writePlugin = (members: string, before = '') =>
  writePluginFiles({
    'index.ts': `import { definePlugin } from ${api}
      ${before}
      export default definePlugin({ slug: 'built-in', name: 'BuiltIn', version: '1.0.0', ${members} })`,
  })
const run = (members: string): Promise<RunningPlugin> =>
  runInProcess(writePlugin(members), () => assert.fail('it does not end by itself'))

const getFailure = async (promise: Promise<unknown>): Promise<PluginFailure> => {
  const failure = await promise.catch((error) => error)
  assert.ok(failure instanceof PluginFailure, String(failure))
  return failure
}

describe('A built-in plugin', () => {
  test('is called with its context, and with its own object as this', async () => {
    const plugin = await run(`
      locate: { found: 'item', async item(pk, context) { return [this.found, pk, await context.settings.get('A'), await context.read('/api/part/')] } },
      labels: { print: (job) => ({ message: String(job.pdf.length) }) }`)
    assert.deepEqual(plugin.manifest.mixins, ['labels', 'locate'])
    assert.deepEqual(await plugin.call('locate.item', [7], createContextCalls({ setting: async () => 'a' }), 1_000), [
      'item',
      7,
      'a',
      { status: 200, body: { path: '/api/part/', query: undefined } },
    ])
    assert.deepEqual(await plugin.call('labels.print', [{ pdf: new Uint8Array(3) }], createContextCalls(), 1_000), {
      message: '3',
    })
    assert.equal((await getFailure(plugin.call('mail.send', [], createContextCalls(), 1_000))).message, 'it has no mail.send')
    await plugin.stop()
  })

  test('fails like every other plugin if it throws or does not respond', async () => {
    const plugin = await run(`
      start() { throw new Error('not today') },
      actions: {
        throws() { throw new Error('no luck in ' + import.meta.filename) },
        never: () => new Promise(() => {}),
        keep(data, context) { this.context = context; return { result: 1 } },
        reuse() { return this.context.send('POST', '/api/part/') },
      }`)
    const start = await getFailure(plugin.call('start', [], createContextCalls(), 1_000))
    assert.deepEqual([start.stage, start.message, start.reason], ['init', 'start failed: not today', 'thrown'])
    const thrown = await getFailure(plugin.call('actions.throws', [null], createContextCalls(), 1_000))
    assert.deepEqual([thrown.stage, thrown.message], ['call', 'actions.throws failed: no luck in index.ts'])
    const late = await getFailure(plugin.call('actions.never', [null], createContextCalls(), 20))
    assert.deepEqual([late.reason, late.message], ['late', 'actions.never did not respond within 20 milliseconds'])
    await plugin.call('actions.keep', [null], createContextCalls(), 1_000)
    const endedFailure = await getFailure(plugin.call('actions.reuse', [null], createContextCalls(), 1_000))
    assert.equal(endedFailure.message, 'actions.reuse failed: the call that this context belongs to has ended')
    const waiting = getFailure(plugin.call('actions.never', [null], createContextCalls(), 10_000))
    await plugin.stop()
    assert.equal((await waiting).reason, 'ended')
    assert.equal((await getFailure(plugin.call('actions.keep', [null], createContextCalls(), 1_000))).message, 'it was stopped')
  })

  test('reports why it does not load', async () => {
    const getLoadFailure = (members: string, before = '') => getFailure(runInProcess(writePlugin(members, before), () => {}))
    assert.equal((await getLoadFailure('', `throw new Error('no luck')`)).message, 'no luck')
    const slug = await getLoadFailure(`slug: 'Not This'`)
    assert.deepEqual([slug.stage, slug.message.startsWith('its slug "Not This" is not')], ['load', true])
  })
})
