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
import { listProcessTree } from '../../processes.ts'
import { readPdf } from '../../testing/pdf.ts'
import { preparePrinting, printingUnsupported } from '../../testing/printing.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'
import { ChromiumPrinter } from './printer.ts'

const environment = await preparePrinting()
const log = pino({ level: 'silent' })

function createPrinter(variables: Record<string, string>, idleSeconds?: number): ChromiumPrinter {
  const printer = new ChromiumPrinter({ config: loadConfig({ ...environment, ...variables }), log, idleSeconds })
  after(() => printer.stop())
  return printer
}

const page = { width: 62, height: 29 }
const noResource = async () => undefined
type ResourceLoader = (url: string) => Promise<Resource | undefined>
const print = (printer: ChromiumPrinter, html = 'Text', resource: ResourceLoader = noResource) =>
  printer.pdf({ html: `<!doctype html>${html}`, resource, page })
const assertPrints = async (printer: ChromiumPrinter) =>
  assert.equal((await readPdf(await print(printer)))[0]?.text, 'Text', 'the next document is not printed')

/** The browsers of this process, with their child processes. */
const listBrowserPids = () => listProcessTree(process.pid).slice(1)
/** Kills processes, some of which may end by themselves after others. */
function killProcesses(pids: readonly number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
const isRunning = (pid: number) => existsSync(`/proc/${pid}`)

const isProblem = (text: RegExp) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.status, 400)
  assert.match(String((error.body as { non_field_errors: unknown[] }).non_field_errors[0]), text)
  return true
}

describe('a document that needs too many resources', { skip: printingUnsupported }, () => {
  const shortTimeoutPrinter = createPrinter({ PRINT_SECONDS: '2' })
  const smallMemoryPrinter = createPrinter({ PRINT_MEMORY_MB: '800', PRINT_SECONDS: '60' })

  it('is rejected at its time limit if it has thousands of pages', async () => {
    const startTime = performance.now()
    const bomb = '<div style="break-after: page">page <table><tr><td>cell</table></div>'.repeat(60_000)
    await assert.rejects(print(shortTimeoutPrinter, bomb), isProblem(/^This cannot be printed: it takes more than 2 seconds\.$/))
    assert.ok(performance.now() - startTime < scaleTimeout(10_000))
    await assertPrints(shortTimeoutPrinter)
  })

  it('is rejected if its styles import each other without end', async () => {
    let count = 0
    const endlessStyles: ResourceLoader = async () => ({
      type: 'text/css',
      body: Buffer.from(`@import "${++count}.css"; p { color: red }`),
    })
    await assert.rejects(
      print(shortTimeoutPrinter, '<link rel="stylesheet" href="0.css"><p>x', endlessStyles),
      isProblem(/2 seconds/),
    )
    await assertPrints(shortTimeoutPrinter)
  })

  it('is rejected if its pictures never arrive', async () => {
    await assert.rejects(
      print(shortTimeoutPrinter, '<img src="x">', () => new Promise(() => {})),
      isProblem(/2 seconds/),
    )
    await assertPrints(shortTimeoutPrinter)
  })

  it('is rejected for a picture with a small file that is huge in memory', async () => {
    const side = 16_000
    const options = { create: { width: side, height: side, channels: 3, background: 'red' }, limitInputPixels: false } as const
    const body = await sharp(options).png({ compressionLevel: 9 }).toBuffer()
    assert.ok(body.length < 5_000_000)
    const bomb = Array.from(
      { length: 4 },
      (_, index) => `<img src="${index}.png" style="width: 60mm; image-rendering: pixelated">`,
    ).join('')
    await assert.rejects(
      print(smallMemoryPrinter, bomb, async () => ({ type: 'image/png', body })),
      isProblem(/more than 800 MB of memory|browser crashed/),
    )
    await assertPrints(smallMemoryPrinter)
  })

  it('is rejected for too many requests, or for responses that are too large', async () => {
    const manyImages = Array.from({ length: 2_501 }, (_, index) => `<img src="${index}">`).join('')
    // on a slow machine, this number of requests may exceed the default time limit of a document
    const printer = createPrinter({ PRINT_SECONDS: '90' })
    await assert.rejects(print(printer, manyImages), isProblem(/loads more than 2500 images/))
    const body = Buffer.alloc(30_000_000)
    const largeImages = Array.from({ length: 9 }, (_, index) => `<img src="${index}">`).join('')
    await assert.rejects(
      print(printer, largeImages, async () => ({ type: 'image/png', body })),
      isProblem(/exceed \d+ bytes/),
    )
    await assertPrints(printer)
  })
})

describe('a browser that crashes', { skip: printingUnsupported }, () => {
  const printer = createPrinter({})
  const killAll: ResourceLoader = async () => {
    killProcesses(listBrowserPids())
    return undefined
  }

  it('is reported as the fault of a document that crashes it repeatedly, and the next one is printed', async () => {
    await assert.rejects(print(printer, '<img src="x">', killAll), isProblem(/browser crashed/))
    await assertPrints(printer)
  })

  it('is restarted without an error after one crash', async () => {
    await assertPrints(printer)
    let times = 0
    const failOnce: ResourceLoader = async (url) => (times++ ? undefined : killAll(url))
    assert.equal((await readPdf(await print(printer, '<img src="x">Text', failOnce)))[0]?.text, 'Text')
  })

  it('is restarted without an error if it crashes while idle', async () => {
    await assertPrints(printer)
    await killAll('')
    await assertPrints(printer)
  })

  it('is reported if only its renderer crashes', async () => {
    await assertPrints(printer)
    const killPages: ResourceLoader = async () => {
      killProcesses(listBrowserPids().slice(1))
      return undefined
    }
    await assert.rejects(print(printer, '<img src="x">', killPages), isProblem(/browser crashed/))
    await assertPrints(printer)
  })
})

describe('many concurrent documents', { skip: printingUnsupported }, () => {
  const printer = createPrinter({})

  it('are printed two at a time', async () => {
    let running = 0
    let maxRunning = 0
    const countingLoader: ResourceLoader = async () => {
      maxRunning = Math.max(maxRunning, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return undefined
    }
    const prints = Array.from({ length: 32 }, (_, index) => print(printer, `<img src="x">Label ${index}`, countingLoader))
    const pages = await Promise.all((await Promise.all(prints)).map(readPdf))
    assert.deepEqual(
      pages.map(([first]) => first?.text),
      prints.map((_, index) => `Label ${index}`),
    )
    assert.ok(maxRunning <= 2, `${maxRunning} at once`)
  })

  it('are rejected when more than a hundred wait', async () => {
    const gate = Promise.withResolvers<undefined>()
    // on a busy machine, the last of them exceed the waiting limit, and are rejected too
    const blockedPrints = Promise.allSettled(
      Array.from({ length: 102 }, () => print(printer, '<img src="x">', () => gate.promise)),
    )
    await assert.rejects(print(printer), (error: Problem) => {
      assert.deepEqual([error.status, error.headers], [503, { 'retry-after': '45' }])
      assert.equal(error.message, 'Too many prints are in progress; try again.')
      return true
    })
    gate.resolve(undefined)
    assert.ok((await blockedPrints).some(({ status }) => status === 'fulfilled'))
  })
})

describe('an idle browser', { skip: printingUnsupported }, () => {
  it('is closed', async () => {
    const printer = createPrinter({}, 0.2)
    await assertPrints(printer)
    const pids = listBrowserPids()
    assert.ok(pids.length > 0)
    await waitUntil(() => !pids.some(isRunning), 'a browser process still runs')
    await assertPrints(printer)
  })

  it('ends immediately when the service stops, whatever it does', async () => {
    const printer = createPrinter({})
    const firstRequest = Promise.withResolvers<void>()
    const hangingLoader: ResourceLoader = () => {
      firstRequest.resolve()
      return new Promise(() => {})
    }
    const rejection = assert.rejects(print(printer, '<img src="x">', hangingLoader), {
      status: 503,
      message: 'The service is stopping.',
    })
    await firstRequest.promise
    const startTime = performance.now()
    await printer.stop()
    await rejection
    assert.ok(performance.now() - startTime < scaleTimeout(2_000))
    assert.deepEqual(listBrowserPids(), [])
  })

  for (const mode of ['idle', 'busy'])
    it(`ends when the service is killed while it is ${mode}`, async () => {
      const service = spawn(process.execPath, [join(ROOT, 'src/testing/printing-process.ts'), mode], {
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await waitForOutput(service, 'printing')
      const pids = listProcessTree(service.pid as number).slice(1)
      assert.ok(pids.length > 2, `${pids.length} processes`)
      const listProfiles = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`stockroom-browser-${service.pid}-`))
      assert.equal(listProfiles().length, 1)
      service.kill('SIGKILL')
      await waitUntil(() => !pids.some(isRunning), 'a browser process still runs')
      // the next service cleans up its leftovers
      await assertPrints(createPrinter({}))
      assert.deepEqual(listProfiles(), [])
    })
})

async function waitForOutput(service: ChildProcess, text: string): Promise<void> {
  for await (const line of createInterface({ input: service.stdout as NodeJS.ReadableStream })) if (line === text) return
  throw new Error('the process ended early')
}
