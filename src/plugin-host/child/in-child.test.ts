import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createContextCalls, createPluginSource, runPlugin, writePluginFiles } from '../../testing/plugins.ts'
import { waitUntil } from '../../testing/until.ts'
import type { PluginFailure } from '../running.ts'

const workingPlugin = await runPlugin(
  writePluginFiles({
    'index.ts': createPluginSource(
      `
  settings: { A_KEY: { type: 'string', name: 'A key', description: '', default: '' } },
  start() {},
  schedule: { nightly: { everyMinutes: 60, async run() { started++ } } },
  labels: { print: (job) => ({ message: [job.pdf.constructor.name, job.pdf.length, job.pdf.buffer.byteLength, sum(job.pdf), job.filename].join(' ') }) },
  validation: {
    part: (values, before) => ({ before: String(before), name: values.name }),
    nextSerialNumber: (serial) => serial + '+',
  },
  actions: {
    started: () => ({ result: started }),
    nothing: () => undefined,
    echo: (data) => ({ result: data }),
    keep(data, context) { savedContext = context },
    async reuse() {
      savedContext.log.info('still here')
      return { result: await savedContext.read('/api/part/').catch((error) => error.message) }
    },
    async settings(data, context) { return { result: await context.settings.get('A_KEY') } },
    async everything(data, context) {
      await context.runLater('nightly')
      context.log.warn('a warning', { a: 1 })
      if (await context.fetchText('https://a.example/') + await context.fetchText('https://b.example/', 7) !== 'a texta text') throw new Error()
      return { result: [await context.read('/api/part/', { active: true }), await context.send('POST', '/api/part/', { name: 'A' })] }
    },
    async many(count, context) {
      const responses = await Promise.all(Array.from({ length: count }, (_, i) => context.read('/api/part/', { i })))
      return { result: responses.map((response) => response.body.query.i) }
    },
    async call([name, ...args], context) {
      const method = name === 'get' ? context.settings.get : context[name]
      return { result: await method(...args).then(() => 'allowed', (error) => error.message) }
    },
  },`,
      `
let started = 0
let savedContext
const sum = (bytes) => bytes.reduce((total, byte) => (total + byte) % 65_536, 0)`,
    ),
  }),
)

describe('A plugin in a process of its own', () => {
  test('describes itself', () => {
    const { manifest } = workingPlugin.running
    assert.equal(manifest.slug, 'tried')
    assert.deepEqual(manifest.mixins, ['labels', 'validation', 'schedule', 'actions'])
    assert.deepEqual(manifest.schedule, { nightly: 60 })
    assert.ok(manifest.hooks.includes('schedule.nightly.run'))
    assert.deepEqual(Object.keys(manifest.settings), ['A_KEY'])
  })

  test('is called by the paths of its functions, and keeps its state', async () => {
    assert.equal(await workingPlugin.call('start'), undefined)
    await workingPlugin.call('schedule.nightly.run')
    assert.deepEqual(await workingPlugin.call('actions.started', null), { result: 1 })
    await assert.rejects(workingPlugin.call('mail.send', {}), { message: 'it has no mail.send' })
    await assert.rejects(workingPlugin.call('constructor'), { message: 'it has no constructor' })
  })

  test('receives and returns undefined values', async () => {
    assert.deepEqual(await workingPlugin.call('validation.part', { name: 'A' }, undefined), { before: 'undefined', name: 'A' })
    assert.deepEqual(await workingPlugin.call('validation.part', { name: 'A' }, null), { before: 'null', name: 'A' })
    assert.equal(await workingPlugin.call('actions.nothing', null), undefined)
  })

  test('receives bytes unchanged', async () => {
    const pdf = Uint8Array.from({ length: 3_000_000 }, (_, i) => i % 251)
    const sum = pdf.reduce((total, byte) => (total + byte) % 65_536, 0)
    const job = { pdf, filename: 'ä.pdf', template: {}, items: [], options: {}, copies: 1 }
    assert.deepEqual(await workingPlugin.call('labels.print', job), { message: `Uint8Array 3000000 3000000 ${sum} ä.pdf` })
    assert.equal(job.pdf, pdf, 'the job of the caller was changed')
    const none = await workingPlugin.call('labels.print', { ...job, pdf: new Uint8Array() })
    assert.deepEqual(none, { message: 'Uint8Array 0 0 0 ä.pdf' })
  })

  test('cannot be sent more than the maximum size of a message', async () => {
    const pdf = new Uint8Array(64 * 1024 * 1024)
    await assert.rejects(workingPlugin.call('labels.print', { pdf }), {
      message: 'labels.print is given more than a plugin can be sent',
    })
  })

  test('uses a separate context for each call', async () => {
    const recorded: unknown[] = []
    const calls = createContextCalls({
      log: (...line) => void recorded.push(line),
      fetchText: async (...args) => {
        recorded.push(args)
        return 'a text'
      },
      runLater: async (name) => void recorded.push(name),
    })
    const result = await workingPlugin.running.call('actions.everything', [null], calls, 10_000)
    const fetched = [
      ['https://a.example/', undefined],
      ['https://b.example/', 7],
    ]
    assert.deepEqual(recorded, ['nightly', ['warn', 'a warning', { a: 1 }], ...fetched])
    assert.deepEqual(result, {
      result: [
        { status: 200, body: { path: '/api/part/', query: { active: true } } },
        { status: 200, body: { method: 'POST', path: '/api/part/', body: { name: 'A' } } },
      ],
    })
    const values = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        workingPlugin.running.call(
          'actions.settings',
          [null],
          createContextCalls({ setting: async (key) => `${key} ${i}` }),
          10_000,
        ),
      ),
    )
    assert.deepEqual(
      values,
      Array.from({ length: 50 }, (_, i) => ({ result: `A_KEY ${i}` })),
    )
  })

  test('gets the reason when its context rejects a call', async () => {
    const calls = createContextCalls({ read: () => Promise.reject(new Error('not found')) })
    const callContext = (...args: unknown[]) => workingPlugin.running.call('actions.call', [args], calls, 10_000)
    assert.deepEqual(await callContext('read', '/api/part/7/'), { result: 'not found' })
    assert.deepEqual(await callContext('read', 'http://elsewhere/'), { result: 'a path must start with one /' })
    assert.deepEqual(await callContext('read', '//elsewhere/'), { result: 'a path must start with one /' })
    assert.deepEqual(await callContext('read', `/${'x'.repeat(5_000)}`), {
      result: 'a path must be a text of at most 4000 characters',
    })
    assert.deepEqual(await callContext('read', '/api/part/', { a: { b: 1 } }), {
      result: 'a query must have at most 100 texts, numbers, or true and false',
    })
    assert.deepEqual(await callContext('send', 'GET', '/api/part/'), {
      result: 'a method must be one of POST, PUT, PATCH, DELETE',
    })
    assert.deepEqual(await callContext('fetchText', 7), { result: 'a URL must be a text of at most 4000 characters' })
    assert.deepEqual(await callContext('get', 7), { result: 'the key of a setting must be a text of at most 100 characters' })
  })

  test('has at most four open context calls for each call, and all of them get a response', async () => {
    let open = 0
    let peak = 0
    const calls = createContextCalls({
      async read(_path, query) {
        peak = Math.max(peak, ++open)
        await new Promise((resolve) => setImmediate(resolve))
        open--
        return { status: 200, body: { query } }
      },
    })
    const { result } = (await workingPlugin.running.call('actions.many', [300], calls, 10_000)) as { result: number[] }
    assert.deepEqual(
      result,
      Array.from({ length: 300 }, (_, i) => i),
    )
    assert.equal(peak, 4)
  })

  test('cannot use the context of an ended call, except for its log', async () => {
    await workingPlugin.call('actions.keep', null)
    assert.deepEqual(await workingPlugin.call('actions.reuse', null), {
      result: 'the call that this context belongs to has ended',
    })
    await waitUntil(() => workingPlugin.lines.some(({ msg }) => msg === 'still here'), 'the line is not logged')
  })

  test('responds to many concurrent calls, and rejects those above a thousand', async () => {
    const waiting = Array.from({ length: 1_000 }, (_, i) => workingPlugin.call('validation.nextSerialNumber', String(i), 1))
    const failure = await workingPlugin.call('validation.nextSerialNumber', '0', 1).catch((error: PluginFailure) => error)
    assert.equal(failure.message, 'validation.nextSerialNumber cannot be called: 1000 calls are in progress')
    assert.equal(failure.reason, 'late')
    assert.deepEqual(
      await Promise.all(waiting),
      Array.from({ length: 1_000 }, (_, i) => `${i}+`),
    )
  })

  test('receives user input unchanged', async () => {
    const data = { text: '"\\\u0000\u2028\ud800 😀', '': [null, true, 1.5, -0.1e-9, [], {}], constructor: { prototype: 1 } }
    assert.deepEqual(await workingPlugin.call('actions.echo', data), { result: JSON.parse(JSON.stringify(data)) })
  })

  test('is stopped immediately, and calls in progress fail', async () => {
    const plugin = await runPlugin(
      writePluginFiles({ 'index.ts': createPluginSource('actions: { wait: () => new Promise(() => {}) }') }),
    )
    const waiting = plugin.call('actions.wait', null)
    const rejected = assert.rejects(waiting, { reason: 'ended', message: 'actions.wait did not respond: it was stopped' })
    await Promise.all([plugin.running.stop(), plugin.running.stop()])
    await rejected
    await assert.rejects(plugin.call('actions.wait', null), { reason: 'ended', message: 'it was stopped' })
    assert.equal(await Promise.race([plugin.ended, 'not reported']), 'not reported')
  })
})

describe('The code of a plugin', () => {
  const javascript = (wrapper: string) => `${wrapper}({ slug: 'tried', name: 'Tried', version: '1.0.0', start() {} })`

  test('imports the API of the service that runs it, wherever the plugin is, and never a copy of its own', async () => {
    const plugin = await runPlugin(
      writePluginFiles({
        'node_modules/@someone/labels/index.js': `import { definePlugin } from '@stockroom-inventory/plugin'
          import { help } from 'helper'
          export default ${javascript('help(definePlugin)')}`,
        'node_modules/@someone/labels/package.json': '{ "type": "module" }',
        'node_modules/helper/index.js': 'exports.help = (given) => given',
        'node_modules/@stockroom-inventory/plugin/index.js': `throw new Error('another one')`,
      }),
    )
    assert.equal(plugin.running.manifest.name, 'Tried')
  })

  test('may be CommonJS, written by hand or compiled', async () => {
    const plain = writePluginFiles({
      'index.cjs': `const { definePlugin } = require('@stockroom-inventory/plugin'); module.exports = ${javascript('definePlugin')}`,
    })
    assert.equal((await runPlugin(plain)).running.manifest.name, 'Tried')
    const pluginFolder = writePluginFiles({
      'index.cjs': `Object.defineProperty(exports, '__esModule', { value: true })
        exports.default = (0, require('@stockroom-inventory/plugin').definePlugin)(${javascript('')})`,
    })
    assert.equal((await runPlugin(pluginFolder)).running.manifest.name, 'Tried')
  })

  test('may be TypeScript, but not in an installed package', async () => {
    const pluginFolder = writePluginFiles({ 'node_modules/typed/index.ts': createPluginSource('start() {}') })
    await assert.rejects(runPlugin(pluginFolder), /Stripping types is currently unsupported for files under node_modules/)
  })
})
