// Over 400 lines: every way in which a plugin can misbehave, each with the plugin that does it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { entryPath } from '../../paths.ts'
import { createContextCalls, createPluginSource, runPlugin, type TestPlugin, writePluginFiles } from '../../testing/plugins.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'
import { PluginFailure } from '../running.ts'

const startPlugin = (
  members: string,
  before = '',
  options: { memoryMegabytes?: number; loadTimeoutMs?: number } = {},
): Promise<TestPlugin> => runPlugin(writePluginFiles({ 'index.ts': createPluginSource(members, before) }), options)

/** Returns the failure of a call. */
async function getFailure(call: Promise<unknown>): Promise<PluginFailure> {
  const failure = await call.then(
    (value) => assert.fail(`it returned ${JSON.stringify(value)}`),
    (error) => error,
  )
  assert.ok(failure instanceof PluginFailure, String(failure?.stack))
  return failure
}

/** Asserts that a failure discloses no path of the plugin or the service, and no stack. */
function assertNoPaths({ message }: PluginFailure, { paths }: Pick<TestPlugin, 'paths'>): void {
  assert.ok(!message.includes(paths.folder), message)
  assert.doesNotMatch(message, /\n| {4}at |:\d+:\d+|file:|plugin-host/)
}

const concurrency = 3

describe('A plugin that cannot be loaded', { concurrency }, () => {
  const assertLoadFails = async (source: string, message: string | RegExp, loadTimeoutMs?: number) => {
    const paths = writePluginFiles({ 'index.ts': source })
    const failure = await getFailure(runPlugin(paths, { loadTimeoutMs }))
    assert.equal(failure.stage, 'load')
    if (typeof message === 'string') assert.equal(failure.message, message)
    else assert.match(failure.message, message)
    assertNoPaths(failure, { paths })
    return failure
  }

  test('fails because its module throws', async () => {
    await assertLoadFails(`throw new Error('no luck in ' + import.meta.filename)`, 'no luck in index.ts')
    await assertLoadFails(`throw { toString() { throw 1 } }`, 'it gives no reason')
  })

  test('fails because it is not a program, or imports a missing module', async () => {
    await assertLoadFails('export default {', /Expression expected|Unexpected/)
    await assertLoadFails(`import 'nowhere'`, `Cannot find package 'nowhere' imported from index.ts`)
    await assertLoadFails(`import '/etc/hostname.js'`, /Access to this API has been restricted|Cannot find module/)
  })

  test('fails because its default export is not a plugin', async () => {
    const notAPlugin = 'its default export is not a plugin: use the result of definePlugin'
    await assertLoadFails('export const plugin = 1', notAPlugin)
    await assertLoadFails('export default () => 1', notAPlugin)
    await assertLoadFails(createPluginSource('barcode: { scan: 7 }'), 'its barcode.scan is not a function')
    await assertLoadFails(createPluginSource(`slug: '../x'`), /^its slug "..\/x" is not lower-case letters/)
  })

  test('fails because loading it does not end', async () => {
    const late = await assertLoadFails(
      'await new Promise(() => setInterval(() => {}, 1_000))',
      'it did not load within 1000 milliseconds',
      1_000,
    )
    assert.equal(late.reason, 'late')
    await assertLoadFails('for (;;) {}', 'it did not load within 1000 milliseconds', 1_000)
  })

  test('fails because its process ends while it loads', async () => {
    await assertLoadFails(
      'const chunks = []; for (;;) chunks.push(Buffer.alloc(4_000_000, 1))',
      /^its process was ended because it used \d+ MB/,
    )
    await assertLoadFails('process.exit(0)', 'its process ended unexpectedly (exit code 0)')
    await assertLoadFails('setTimeout(() => { throw new Error("no luck") }); await new Promise(() => {})', 'no luck')
  })

  test('fails because its module is outside its folder', async () => {
    const { folder } = writePluginFiles({ 'index.ts': createPluginSource() })
    const elsewhere = writePluginFiles({ 'index.ts': createPluginSource() })
    const failure = await getFailure(runPlugin({ entry: elsewhere.entry, folder }))
    assert.equal(failure.message, 'its module is outside its folder')
    assert.match((await getFailure(runPlugin({ entry: `${folder}/none.ts`, folder }))).message, /cannot be found \(ENOENT\)/)
  })
})

describe('A function of a plugin', { concurrency }, () => {
  test('fails with the text of its error alone if it throws, and the plugin continues', async () => {
    const badPlugin = await startPlugin(`
      start() { throw new Error('not today') },
      actions: {
        async error() { throw new Error('no luck in ' + import.meta.filename + '\\n\\tat all') },
        text() { throw 'a text' },
        nothing() { throw undefined },
        evil() { throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } }) },
        long() { throw new Error('x'.repeat(1_000_000)) },
        fine: () => ({ result: 1 }),
      }`)
    const start = await getFailure(badPlugin.call('start'))
    assert.deepEqual([start.stage, start.message, start.reason], ['init', 'start failed: not today', 'thrown'])
    const error = await getFailure(badPlugin.call('actions.error', null))
    assert.deepEqual([error.stage, error.message], ['call', 'actions.error failed: no luck in index.ts at all'])
    assertNoPaths(error, badPlugin)
    assert.equal((await getFailure(badPlugin.call('actions.text', null))).message, 'actions.text failed: a text')
    assert.equal((await getFailure(badPlugin.call('actions.nothing', null))).message, 'actions.nothing failed: undefined')
    assert.equal((await getFailure(badPlugin.call('actions.evil', null))).message, 'actions.evil failed: it gives no reason')
    assert.ok((await getFailure(badPlugin.call('actions.long', null))).message.length < 600)
    assert.deepEqual(await badPlugin.call('actions.fine', null), { result: 1 })
    // the operator finds the location in the log
    assert.ok(badPlugin.lines.some(({ details }) => JSON.stringify(details ?? '').includes('index.ts')))
  })

  test('fails at its time limit if it does not respond, and later responses are ignored', async () => {
    const slowPlugin = await startPlugin(
      `
      actions: {
        async slow(data, context) {
          await released.promise
          readError = await context.read('/api/part/').catch((error) => error.message)
          return { result: 'late' }
        },
        release() { released.resolve() },
        readError: () => ({ result: readError }),
        never: () => new Promise(() => {}),
      }`,
      'const released = Promise.withResolvers(); let readError = ""',
    )
    let reads = 0
    const calls = createContextCalls({ read: async () => ({ status: 200, body: ++reads }) })
    const failure = await getFailure(slowPlugin.running.call('actions.slow', [null], calls, 50))
    assert.deepEqual([failure.reason, failure.message], ['late', 'actions.slow did not respond within 50 milliseconds'])
    assert.equal((await getFailure(slowPlugin.running.call('actions.never', [null], calls, 50))).reason, 'late')
    await slowPlugin.call('actions.release', null)
    await waitUntil(
      async () => (await slowPlugin.call('actions.readError', null)).result,
      'it does not use its context after the time limit',
    )
    assert.deepEqual(await slowPlugin.call('actions.readError', null), {
      result: 'the call that this context belongs to has ended',
    })
    assert.equal(reads, 0)
  })

  test('fails alone if its result cannot be sent or is too large', async () => {
    const badPlugin = await startPlugin(`
      actions: {
        big: () => 1n,
        round() { const round = {}; round.self = round; return round },
        huge: () => 'x'.repeat(5_000_000),
        async post(data, context) { return context.send('POST', '/api/part/', 'x'.repeat(5_000_000)) },
        fine: () => ({ result: 1 }),
      }`)
    assert.match((await getFailure(badPlugin.call('actions.big', null))).message, /BigInt/)
    assert.match((await getFailure(badPlugin.call('actions.round', null))).message, /circular/)
    const tooMuch = /more than 4194304 bytes cannot be sent to the service/
    assert.match((await getFailure(badPlugin.call('actions.huge', null))).message, tooMuch)
    assert.match((await getFailure(badPlugin.call('actions.post', null))).message, tooMuch)
    assert.deepEqual(await badPlugin.call('actions.fine', null), { result: 1 })
  })

  test('cannot change the prototype of all objects', async () => {
    const badPlugin = await startPlugin(`
      actions: {
        keys: () => JSON.parse('{"__proto__": {"polluted": 1}, "a": [{"__proto__": {"polluted": 1}, "b": 2}]}'),
        async post(data, context) { return context.send('POST', '/api/part/', JSON.parse('{"__proto__": {"polluted": 1}}')) },
      }`)
    const response: any = await badPlugin.call('actions.keys', null)
    assert.equal(Object.assign({}, response).polluted, undefined)
    assert.deepEqual(response, { a: [{ b: 2 }] })
    const { body } = (await badPlugin.call('actions.post', null)).body
    assert.ok(!Object.hasOwn(body, '__proto__'))
    assert.equal(({} as any).polluted, undefined)
  })
})

test('A plugin is not late when the service was blocked', async () => {
  const promptPlugin = await startPlugin('actions: { fine: () => ({ result: 1 }) }')
  await promptPlugin.call('actions.fine', null)
  const response = promptPlugin.running.call('actions.fine', [null], createContextCalls(), 200)
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400))
  assert.deepEqual(await response, { result: 1 })
})

test('A plugin whose process cannot be started reports that', async () => {
  const { execPath } = process
  process.execPath = '/nowhere/node'
  try {
    const failure = await getFailure(startPlugin(''))
    assert.equal(failure.message, 'its process could not be started (ENOENT)')
  } finally {
    process.execPath = execPath
  }
})

describe("The end of a plugin's process", { concurrency }, () => {
  const assertProcessEnds = async (action: string, message: RegExp, members = '') => {
    const badPlugin = await startPlugin(
      `actions: { wait: () => new Promise(() => {}), async bad() { ${action}; await new Promise(() => {}) } }, ${members}`,
    )
    const waiting = getFailure(badPlugin.call('actions.wait', null))
    const failure = getFailure(badPlugin.call('actions.bad', null))
    const ended = await badPlugin.ended
    assert.match(ended.message, message)
    assert.equal(ended.reason, 'ended')
    assertNoPaths(ended, badPlugin)
    assert.match((await waiting).message, /^actions\.wait did not respond: its process/)
    assert.equal((await failure).reason, 'ended')
    assert.equal(
      (await getFailure(badPlugin.call('actions.wait', null))).message,
      ended.message,
      'later calls fail in the same way',
    )
    return ended
  }

  test('is reported with its last output if it ends by itself', async () => {
    await assertProcessEnds('process.exit(3)', /^its process ended unexpectedly \(exit code 3\)$/)
    await assertProcessEnds('process.abort()', /^its process ended unexpectedly \(SIGABRT\)$/)
    await assertProcessEnds(
      `setTimeout(() => { throw new Error('no luck in ' + import.meta.filename) })`,
      /^its process ended because of an uncaught error: no luck in index.ts$/,
    )
    await assertProcessEnds(`Promise.reject(new Error('nobody waits'))`, /uncaught error: nobody waits$/)
  })

  test('follows a busy loop', async () => {
    await assertProcessEnds('for (;;) {}', /^its process was ended because it did not respond for 5 seconds$/)
  })

  test('follows a full heap', async () => {
    // responds while it fills up, as on a busy machine the missing ping would end it first
    const fillMemory = `const chunks = []; for (;;) {
      chunks.push(Array.from({ length: 1_000 }, (_, i) => ({ i })))
      if (chunks.length % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
    }`
    await assertProcessEnds(fillMemory, /^its process (ended,|was ended) because it used (more|\d+ MB of) memory/)
  })

  test('follows excessive memory outside the heap', async () => {
    const fillMemory = `const chunks = []; for (;;) { chunks.push(Buffer.alloc(4_000_000, 1)); await new Promise((resolve) => setImmediate(resolve)) }`
    await assertProcessEnds(fillMemory, /^its process was ended because it used \d+ MB of memory; the limit is 256 MB$/)
  })

  test('follows a closed channel', async () => {
    await assertProcessEnds('fs.closeSync(3)', /^its process (was ended because it closed the channel|ended)/)
  })
})

describe('A plugin that bypasses its own side of the channel', { concurrency }, () => {
  const frame =
    'const frame = (text) => { const bytes = Buffer.from(text); const head = Buffer.alloc(8); head.writeUInt32LE(bytes.length, 0); head.writeUInt32LE(bytes.length, 4); return Buffer.concat([head, bytes]) }'
  const assertIsEnded = async (statement: string, message: RegExp) => {
    const badPlugin = await startPlugin(`actions: { async bad() { ${statement}; await new Promise(() => {}) } }`, frame)
    const unresolvedCalls = createContextCalls({ setting: () => new Promise(() => {}) })
    const failure = getFailure(badPlugin.running.call('actions.bad', [null], unresolvedCalls, 10_000))
    assert.match((await badPlugin.ended).message, message)
    await failure
  }
  const invalidMessage = /^its process was ended because it sent an invalid message$/

  test('is ended for an invalid message', async () => {
    await assertIsEnded(`fs.writeSync(3, frame('no JSON'))`, invalidMessage)
    await assertIsEnded(`fs.writeSync(3, frame('{"type":"done","id":"1"}'))`, invalidMessage)
    await assertIsEnded(`fs.writeSync(3, frame('{"type":"ask","id":1,"call":1,"what":"constructor","args":[]}'))`, invalidMessage)
    await assertIsEnded(`fs.writeSync(3, frame('['.repeat(10_000) + ']'.repeat(10_000)))`, invalidMessage)
    await assertIsEnded(
      `fs.writeSync(3, frame('{"type":"pong","a":' + '['.repeat(5_000) + ']'.repeat(5_000) + '}'))`,
      invalidMessage,
    )
    await assertIsEnded('return Array.from({ length: 100_000 }, () => [])', invalidMessage)
  })

  test('is ended for an oversized message, before it is read', async () => {
    const tooLong = /^its process was ended because it sent more than is allowed at once$/
    await assertIsEnded('fs.writeSync(3, Buffer.alloc(1_000, 255))', tooLong)
    await assertIsEnded('const head = Buffer.alloc(8); head.writeUInt32LE(4_194_305, 0); fs.writeSync(3, head)', tooLong)
  })

  test('is ended for more concurrent context calls than its side permits', async () => {
    await assertIsEnded(
      `for (let id = 1; id < 10; id++) fs.writeSync(3, frame(JSON.stringify({ type: 'ask', id, call: 1, what: 'setting', args: ['A'] })))`,
      /^its process was ended because it made too many requests at once$/,
    )
  })

  test('gains nothing from unrequested responses, or from context calls for unknown calls', async () => {
    const oddPlugin = await startPlugin(
      `actions: { odd() {
        for (const message of [{ type: 'done', id: 77, value: 1 }, { type: 'failed', id: 77, message: '', stack: '' }, { type: 'ready', manifest: {} },
          { type: 'pong' }, { type: 'answer', id: 1 }.id && { type: 'ask', id: 900, call: 77, what: 'setting', args: [] }])
          fs.writeSync(3, frame(JSON.stringify(message)))
        return { result: 1 }
      } }`,
      frame,
    )
    assert.deepEqual(await oddPlugin.call('actions.odd', null), { result: 1 })
    assert.deepEqual(await oddPlugin.call('actions.odd', null), { result: 1 })
    assert.equal(oddPlugin.running.manifest.slug, 'tried')
  })
})

describe('The permissions of a plugin', { concurrency }, () => {
  test('include reading its own folder, and nothing else that needs a permission', async () => {
    const paths = writePluginFiles({
      'index.ts': createPluginSource(`actions: {
      async tries() {
        const attempts = {
          own: () => fs.readFileSync(import.meta.dirname + '/own-file.txt', 'utf8'),
          read: () => fs.readFileSync('/etc/passwd'),
          readService: () => fs.readFileSync(${JSON.stringify(entryPath('plugins/zplprinter'))}),
          neighbour: () => fs.readFileSync(import.meta.dirname + '0/index.ts'),
          list: () => fs.readdirSync('/'),
          exists: () => fs.statSync('/etc'),
          environment: () => fs.readFileSync('/proc/self/environ'),
          write: () => fs.writeFileSync(import.meta.dirname + '/made', ''),
          remove: () => fs.rmSync(import.meta.dirname + '/own-file.txt'),
          spawn: async () => { const { error } = (await import('node:child_process')).spawnSync('true'); if (error) throw error },
          worker: async () => new (await import('node:worker_threads')).Worker('1', { eval: true }),
          database: async () => new (await import('node:sqlite')).DatabaseSync('/tmp/x'),
          inspector: async () => (await import('node:inspector')).open(0),
          addon: () => process.dlopen({ exports: {} }, '/x.node'),
          binding: () => process.binding('fs'),
          wasi: async () => new (await import('node:wasi')).WASI({ version: 'preview1', preopens: { '/': '/' } }),
          kill: () => process.kill(process.ppid, 0),
          killImported: async () => (await import('node:process')).kill(process.ppid, 0),
          debug: () => process._debugProcess(process.ppid),
          priority: async () => (await import('node:os')).setPriority(process.ppid, 19),
        }
        const result = {}
        for (const [name, attempt] of Object.entries(attempts)) {
          try { await attempt(); result[name] = 'allowed' } catch (error) { result[name] = error.code ?? error.name }
        }
        return { result }
      },
      environment: () => ({ result: { ...process.env } }),
      folder: () => ({ result: process.cwd() }),
    }`),
      'own-file.txt': 'own-file',
    })
    const curiousPlugin = await runPlugin(paths)
    const denied = 'ERR_ACCESS_DENIED'
    assert.deepEqual((await curiousPlugin.call('actions.tries', null)).result, {
      own: 'allowed',
      read: denied,
      readService: denied,
      neighbour: denied,
      list: denied,
      exists: denied,
      environment: denied,
      write: denied,
      remove: denied,
      spawn: denied,
      worker: denied,
      database: 'ERR_UNKNOWN_BUILTIN_MODULE',
      inspector: denied,
      addon: 'ERR_DLOPEN_DISABLED',
      binding: denied,
      wasi: denied,
      kill: 'TypeError',
      killImported: 'TypeError',
      debug: 'TypeError',
      priority: 'TypeError',
    })
    assert.deepEqual(await curiousPlugin.call('actions.environment', null), { result: {} })
    assert.deepEqual(await curiousPlugin.call('actions.folder', null), { result: paths.folder })
  })

  test('include a limited number of log lines', async () => {
    const loudPlugin = await startPlugin(`
      actions: {
        lines() { for (let i = 0; i < 10_000; i++) console.log('line', i); return { result: 1 } },
        long() { process.stdout.write('y'.repeat(100_000) + '\\n'); return { result: 1 } },
        odd(data, context) { context.log.info('odd', 1n); context.log.info('long', 'x'.repeat(5_000_000)); return { result: 1 } },
        context(data, context) { for (let i = 0; i < 10_000; i++) context.log.error('x'.repeat(10_000), { i }); return { result: 1 } },
      }`)
    const startTime = performance.now()
    await loudPlugin.call('actions.odd', null)
    await loudPlugin.call('actions.lines', null)
    await loudPlugin.call('actions.long', null)
    await loudPlugin.call('actions.context', null)
    await waitUntil(
      () => loudPlugin.lines.some(({ msg }) => /^\d+ lines of this plugin were omitted$/.test(msg)),
      'omitted lines are not reported',
    )
    assert.ok(loudPlugin.lines.some(({ msg }) => msg === 'line 0'))
    // 200 immediately, and 20 a second after that
    const allowed = 300 + (25 * (performance.now() - startTime)) / 1_000
    assert.ok(loudPlugin.lines.length < allowed, `${loudPlugin.lines.length} lines, and ${allowed} are allowed`)
    assert.ok(loudPlugin.lines.every(({ msg }) => msg.length <= 1_000))
  })

  test('include endless console output, which delays nothing else', async () => {
    const [loudPlugin, other] = await Promise.all([
      startPlugin(
        `actions: { async loud() { for (;;) { console.log('z'.repeat(10_000)); await new Promise((resolve) => setImmediate(resolve)) } } }`,
      ),
      startPlugin('actions: { fine: () => ({ result: 1 }) }'),
    ])
    const startTime = performance.now()
    const waiting = getFailure(loudPlugin.call('actions.loud', null))
    for (let i = 0; i < 500; i++)
      assert.deepEqual(await other.running.call('actions.fine', [null], createContextCalls(), scaleTimeout(250)), { result: 1 })
    await loudPlugin.running.stop()
    await waiting
    // 200 immediately, and 20 a second after that
    const allowed = 300 + (25 * (performance.now() - startTime)) / 1_000
    assert.ok(loudPlugin.lines.length < allowed, `${loudPlugin.lines.length} lines, and ${allowed} are allowed`)
  })

  test('allow only the service to end it', async () => {
    const { running, call, ended } = await startPlugin(
      'actions: { pid: () => ({ result: process.pid }), never: () => new Promise(() => {}) }',
    )
    const { result: pid } = await call('actions.pid', null)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.kill(pid, signal)
    assert.deepEqual(await call('actions.pid', null), { result: pid })
    await running.stop()
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
    assert.equal(await Promise.race([ended, 'not reported']), 'not reported')
  })

  test('do not allow it to block its stop by the service', async () => {
    const badPlugin = await startPlugin(
      `start() { process.on('exit', () => { for (;;) {} }) }, actions: { busy() { for (;;) {} } }`,
    )
    await badPlugin.call('start')
    const waiting = getFailure(badPlugin.call('actions.busy', null))
    const start = performance.now()
    await badPlugin.running.stop()
    assert.ok(performance.now() - start < scaleTimeout(2_500))
    await waiting
  })
})
