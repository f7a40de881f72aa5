import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { loadConfig } from '../../config.ts'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { testService } from '../../testing/service.ts'
import { BrowserStarter } from './open-browser.ts'
import { ChromiumPrinter } from './printer.ts'
import { BrowserUnpackError, type Chromium, unpackBrowser } from './unpack.ts'

const folder = mkdtempSync(join(tmpdir(), 'stockroom-unpack-'))
after(() => rmSync(folder, { recursive: true }))

const log = pino({ level: 'silent' })
const neverAborted = new AbortController().signal
const document = { html: 'Text', resource: async () => undefined, page: { width: 62, height: 29 } }
const hasMessage = (text: RegExp) => (error: unknown) => error instanceof BrowserUnpackError && text.test(error.message)

describe('the included browser', { skip: printingUnsupported }, () => {
  const target = join(folder, 'data')
  let chromium: Chromium
  before(async () => {
    const results = await Promise.all([unpackBrowser(target, 0, neverAborted), unpackBrowser(target, 0, neverAborted)])
    assert.deepEqual(results[0], results[1])
    chromium = results[0]
  })

  it('is unpacked completely, for its owner only, by several processes at the same time', async () => {
    assert.equal(readdirSync(target).length, 1)
    assert.match(readdirSync(target)[0] as string, /^browser-\d+\.\d+\.\d+$/)
    assert.equal(statSync(dirname(chromium.executable)).mode & 0o777, 0o700)
    const inode = statSync(chromium.executable).ino
    await unpackBrowser(target, 0, neverAborted)
    assert.equal(statSync(chromium.executable).ino, inode)
  })

  it('includes libraries that a machine may not have, and uses them if needed', async () => {
    const env = { LD_LIBRARY_PATH: chromium.libraries, LD_TRACE_LOADED_OBJECTS: '1' }
    const { stdout } = spawnSync(chromium.executable, { env, encoding: 'utf8' })
    const otherLibraries = stdout.split('\n').filter((line) => line.trim() && !line.includes(chromium.libraries as string))
    // libraries that Node itself needs
    for (const line of otherLibraries) assert.match(line, /linux-vdso|ld-linux|lib(c|m|dl|pthread|gcc_s)\.so/)
    const program = join(folder, 'without-libraries')
    const librariesCheck =
      '[ -n "$LD_LIBRARY_PATH" ] || { echo "x: error while loading shared libraries: libnss3.so" >&2; exit 127; }'
    writeFileSync(program, `#!/bin/sh\n${librariesCheck}\nexec ${chromium.executable} "$@"\n`, { mode: 0o700 })
    const { ended, kill } = await new BrowserStarter({ ...chromium, executable: program }, log, neverAborted).open()
    kill()
    await ended
  })

  it('runs without its sandbox only if the sandbox is impossible, and logs it', async () => {
    const messages: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line) => messages.push(JSON.parse(line).msg) })
    // simulates a machine that forbids it
    const program = join(folder, 'forbidding')
    const sandboxCheck = 'case "$*" in *--no-sandbox*) ;; *) echo "FATAL: No usable sandbox!" >&2; exit 133;; esac'
    writeFileSync(program, `#!/bin/sh\n${sandboxCheck}\nexec ${chromium.executable} "$@"\n`, { mode: 0o700 })
    const { pid, ended, kill } = await new BrowserStarter({ ...chromium, executable: program }, logger, neverAborted).open()
    assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /--no-sandbox/)
    kill()
    await ended
    assert.equal(messages.length, 1)
    assert.match(messages[0] as string, /^the printing browser runs without its sandbox, /)
  })

  const isForbidden = spawnSync('unshare', ['-Ur', 'true']).status !== 0 && 'this machine does not allow the sandbox'
  const isRoot = process.getuid?.() === 0 && 'root cannot use the sandbox'
  it('runs in its sandbox if possible', { skip: isRoot || isForbidden }, async () => {
    const { pid, ended, kill } = await new BrowserStarter(chromium, log, neverAborted).open()
    assert.doesNotMatch(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /--no-sandbox/)
    kill()
    await ended
  })

  it('leaves nothing after an aborted unpacking', async () => {
    const abortedFolder = join(folder, 'cut')
    await assert.rejects(unpackBrowser(abortedFolder, 0, AbortSignal.timeout(50)), BrowserUnpackError)
    assert.deepEqual(readdirSync(abortedFolder), [])
  })

  it('is not accepted from a folder that others can write to', async () => {
    chmodSync(dirname(chromium.executable), 0o777)
    await assert.rejects(
      unpackBrowser(target, 0, neverAborted),
      hasMessage(/is not a folder that only this user can write to: delete it$/),
    )
    chmodSync(dirname(chromium.executable), 0o700)
  })

  it('is not unpacked without enough disk space', async () => {
    await assert.rejects(unpackBrowser(join(folder, 'full'), 1e15, neverAborted), hasMessage(/too little free space/))
  })

  it('is deleted when it is no longer used', async () => {
    const endedPid = spawnSync('/bin/true').pid
    const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000)
    for (const [name, age] of [
      ['browser-1.0.0', 31],
      ['browser-2.0.0', 29],
      ['browser-3.0.0.new-x', 2],
      ['browser-4.0.0.new-x', 0],
      [`browser-5.0.0.new-${hostname()}.${process.pid}-x`, 0],
      [`browser-5.0.0.new-${hostname()}.${endedPid}-x`, 0],
      [`browser-5.0.0.new-${hostname()}.${process.ppid}-x`, 0],
      [`browser-5.0.0.new-elsewhere.${endedPid}-x`, 0],
      ['media', 100],
    ] as const) {
      mkdirSync(join(target, name), { recursive: true })
      utimesSync(join(target, name), days(age), days(age))
    }
    await unpackBrowser(target, 0, neverAborted)
    const remaining = [
      'browser-2.0.0',
      'browser-4.0.0.new-x',
      `browser-5.0.0.new-${hostname()}.${process.ppid}-x`,
      `browser-5.0.0.new-elsewhere.${endedPid}-x`,
      'media',
      basename(dirname(chromium.executable)),
    ]
    assert.deepEqual(readdirSync(target), remaining.toSorted())
  })
})

describe('CHROME_PATH', () => {
  it('selects another browser, which is used as it is', { skip: printingUnsupported }, async () => {
    const { DATA_DIR } = await preparePrinting()
    const { executable } = await unpackBrowser(DATA_DIR, 0, neverAborted)
    const printer = new ChromiumPrinter({ config: loadConfig({ DATA_DIR: '/dev/null', CHROME_PATH: executable }), log })
    after(() => printer.stop())
    assert.equal((await readPdf(await printer.pdf(document)))[0]?.text, 'Text')
    assert.equal(printer.unavailable(), undefined)
  })

  for (const [path, reason] of [
    ['/nowhere/chrome', /ENOENT/],
    ['/bin/false', /no output/],
    ['/dev/null', /EACCES/],
  ] as const)
    it(`reports a browser that does not run when printing: ${path}`, async () => {
      const printer = new ChromiumPrinter({ config: loadConfig({ CHROME_PATH: path }), log })
      after(() => printer.stop())
      await assert.rejects(printer.pdf(document), (error: any) => {
        assert.equal(error.status, 503)
        assert.equal(error.headers['retry-after'], '60')
        assert.match(String(error.body.detail), /^Printing is unavailable: the printing browser does not run here/)
        assert.match(String(error.body.detail), reason)
        return true
      })
      assert.match(printer.unavailable() ?? '', reason)
    })

  it('stops a program with invalid responses', async () => {
    const program = join(folder, 'nonsense')
    writeFileSync(program, '#!/bin/sh\nhead -c 1000 /dev/zero >&4\nexec sleep 600\n', { mode: 0o700 })
    const printer = new ChromiumPrinter({ config: loadConfig({ CHROME_PATH: program }), log })
    after(() => printer.stop())
    await assert.rejects(printer.pdf(document), { status: 503 })
  })
})

describe('a service with a read-only data folder', () => {
  it('starts, and reports why it cannot print', async () => {
    const { app, staff } = await testService()
    assert.equal((await staff.get('/api/')).status, 200)
    const printer = new ChromiumPrinter({ config: loadConfig({ DATA_DIR: '/dev/null' }), log })
    await assert.rejects(printer.pdf(document), { status: 503 })
    assert.ok(printer.unavailable())
    assert.ok(app)
  })
})
