import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, it } from 'node:test'
import { pino } from 'pino'
import sharp from 'sharp'
import { loadConfig } from '../../config.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Resource } from '../../kit/services/printer.ts'
import { ROOT } from '../../paths.ts'
import { treeOf } from '../../processes.ts'
import { readPdf } from '../../testing/pdf.ts'
import { cannotPrint, printing } from '../../testing/printing.ts'
import { patience } from '../../testing/slowness.ts'
import { until } from '../../testing/until.ts'
import { ChromiumPrinter } from './printer.ts'

const environment = await printing()
const log = pino({ level: 'silent' })

function printerWith(variables: Record<string, string>, idleSeconds?: number): ChromiumPrinter {
  const printer = new ChromiumPrinter({ config: loadConfig({ ...environment, ...variables }), log, idleSeconds })
  after(() => printer.stop())
  return printer
}

const page = { width: 62, height: 29 }
const nothing = async () => undefined
type Answer = (url: string) => Promise<Resource | undefined>
const print = (printer: ChromiumPrinter, html = 'Text', resource: Answer = nothing) =>
  printer.pdf({ html: `<!doctype html>${html}`, resource, page })
const assertPrints = async (printer: ChromiumPrinter) =>
  assert.equal((await readPdf(await print(printer)))[0]?.text, 'Text', 'the next one is not printed')

/** The browsers of this process, and all that they started. */
const browsers = () => treeOf(process.pid).slice(1)
/** Kills processes, of which some may end by themselves when others are gone. */
function kill(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
const isRunning = (pid: number) => existsSync(`/proc/${pid}`)

const refusal = (text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.status, 400)
  assert.match(String((error.body as { non_field_errors: unknown[] }).non_field_errors[0]), text)
  return true
}

describe('a document that takes too much', { skip: cannotPrint }, () => {
  const hasty = printerWith({ PRINT_SECONDS: '2' })
  const small = printerWith({ PRINT_MEMORY_MB: '800', PRINT_SECONDS: '60' })

  it('of thousands of pages is refused after its time', async () => {
    const began = performance.now()
    const bomb = '<div style="break-after: page">page <table><tr><td>cell</table></div>'.repeat(60_000)
    await assert.rejects(print(hasty, bomb), refusal(/^This cannot be printed: it takes more than 2 seconds\.$/))
    assert.ok(performance.now() - began < patience(10_000))
    await assertPrints(hasty)
  })

  it('of styles that import each other without end is refused', async () => {
    let count = 0
    const endless: Answer = async () => ({ type: 'text/css', body: Buffer.from(`@import "${++count}.css"; p { color: red }`) })
    await assert.rejects(print(hasty, '<link rel="stylesheet" href="0.css"><p>x', endless), refusal(/2 seconds/))
    await assertPrints(hasty)
  })

  it('whose pictures never come is refused', async () => {
    await assert.rejects(
      print(hasty, '<img src="x">', () => new Promise(() => {})),
      refusal(/2 seconds/),
    )
    await assertPrints(hasty)
  })

  it('of a picture that is small in its file and huge in memory is refused', async () => {
    const side = 16_000
    const options = { create: { width: side, height: side, channels: 3, background: 'red' }, limitInputPixels: false } as const
    const body = await sharp(options).png({ compressionLevel: 9 }).toBuffer()
    assert.ok(body.length < 5_000_000)
    const bomb = Array.from(
      { length: 4 },
      (_, at) => `<img src="${at}.png" style="width: 60mm; image-rendering: pixelated">`,
    ).join('')
    await assert.rejects(
      print(small, bomb, async () => ({ type: 'image/png', body })),
      refusal(/more than 800 MB of memory|browser crashed/),
    )
    await assertPrints(small)
  })

  it('of too many requests, or too much for them, is refused', async () => {
    const many = Array.from({ length: 2_501 }, (_, at) => `<img src="${at}">`).join('')
    // so many requests may take a slow machine longer than a document may take by default
    const printer = printerWith({ PRINT_SECONDS: '90' })
    await assert.rejects(print(printer, many), refusal(/loads more than 2500 images/))
    const body = Buffer.alloc(30_000_000)
    const much = Array.from({ length: 9 }, (_, at) => `<img src="${at}">`).join('')
    await assert.rejects(
      print(printer, much, async () => ({ type: 'image/png', body })),
      refusal(/exceed \d+ bytes/),
    )
    await assertPrints(printer)
  })
})

describe('a browser that ends', { skip: cannotPrint }, () => {
  const printer = printerWith({})
  const killAll: Answer = async () => {
    kill(browsers())
    return undefined
  }

  it('with a document, again and again, is told as its fault, and the next one is printed', async () => {
    await assert.rejects(print(printer, '<img src="x">', killAll), refusal(/browser crashed/))
    await assertPrints(printer)
  })

  it('once is opened anew, and nobody notices', async () => {
    await assertPrints(printer)
    let times = 0
    const once: Answer = async (url) => (times++ ? undefined : killAll(url))
    assert.equal((await readPdf(await print(printer, '<img src="x">Text', once)))[0]?.text, 'Text')
  })

  it('while nothing is printed is opened anew, and nobody notices', async () => {
    await assertPrints(printer)
    await killAll('')
    await assertPrints(printer)
  })

  it('in the part that draws a page is told, too', async () => {
    await assertPrints(printer)
    const killPages: Answer = async () => {
      kill(browsers().slice(1))
      return undefined
    }
    await assert.rejects(print(printer, '<img src="x">', killPages), refusal(/browser crashed/))
    await assertPrints(printer)
  })
})

describe('many documents at once', { skip: cannotPrint }, () => {
  const printer = printerWith({})

  it('are printed two at a time', async () => {
    let running = 0
    let most = 0
    const counted: Answer = async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return undefined
    }
    const all = Array.from({ length: 32 }, (_, at) => print(printer, `<img src="x">Label ${at}`, counted))
    const pages = await Promise.all((await Promise.all(all)).map(readPdf))
    assert.deepEqual(
      pages.map(([first]) => first?.text),
      all.map((_, at) => `Label ${at}`),
    )
    assert.ok(most <= 2, `${most} at once`)
  })

  it('are refused when more than a hundred wait', async () => {
    const gate = Promise.withResolvers<undefined>()
    // on a busy machine the last of them wait longer than any may, and are refused too
    const held = Promise.allSettled(Array.from({ length: 102 }, () => print(printer, '<img src="x">', () => gate.promise)))
    await assert.rejects(print(printer), (error: Problem) => {
      assert.deepEqual([error.status, error.headers], [503, { 'retry-after': '45' }])
      assert.equal(error.message, 'Too many prints are in progress; try again.')
      return true
    })
    gate.resolve(undefined)
    assert.ok((await held).some(({ status }) => status === 'fulfilled'))
  })
})

describe('a browser that nobody needs', { skip: cannotPrint }, () => {
  it('is closed', async () => {
    const printer = printerWith({}, 0.2)
    await assertPrints(printer)
    const pids = browsers()
    assert.ok(pids.length > 0)
    await until(() => !pids.some(isRunning), 'it still runs')
    await assertPrints(printer)
  })

  it('is gone at once when the service stops, whatever it does', async () => {
    const printer = printerWith({})
    const asked = Promise.withResolvers<void>()
    const never: Answer = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    const hung = assert.rejects(print(printer, '<img src="x">', never), { status: 503, message: 'The service is stopping.' })
    await asked.promise
    const began = performance.now()
    await printer.stop()
    await hung
    assert.ok(performance.now() - began < patience(2_000))
    assert.deepEqual(browsers(), [])
  })

  for (const busy of ['idle', 'busy'])
    it(`is gone when the service is killed while it is ${busy}`, async () => {
      const service = spawn(process.execPath, [join(ROOT, 'src/testing/printing-process.ts'), busy], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await said(service, 'printing')
      const pids = treeOf(service.pid as number).slice(1)
      assert.ok(pids.length > 2, `${pids.length} processes`)
      const profiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`stockroom-browser-${service.pid}-`))
      assert.equal(profiles().length, 1)
      service.kill('SIGKILL')
      await until(() => !pids.some(isRunning), 'it still runs')
      // the next service clears up after it, whichever that is
      await assertPrints(printerWith({}))
      assert.deepEqual(profiles(), [])
    })
})

async function said(service: ChildProcess, text: string): Promise<void> {
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream })) if (line === text) return
  throw new Error('it ended')
}
