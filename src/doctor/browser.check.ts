import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import type { Config } from '../config.ts'
import { BrowserProcess } from '../printing/browser/browser-process.ts'
import { BrowserStarter } from '../printing/browser/open-browser.ts'
import { type Chromium, findUnpackedBrowser, unpackBrowser } from '../printing/browser/unpack.ts'
import { type Check, error, ok, warning } from './check.ts'

/** A label, in millimeters. */
const PAGE = { width: 62, height: 29 }

export const browserCheck: Check = {
  name: 'browser',
  title: 'Printing',
  async run({ config }) {
    const log = collectWarnings()
    const stopping = new AbortController()
    let temporary: string | undefined
    try {
      let chromium: Chromium | undefined = config.chromePath
        ? { executable: config.chromePath }
        : await findUnpackedBrowser(config.dataDir)
      if (!chromium) {
        // the first start unpacks it into the data folder, where nothing is changed now
        temporary = await mkdtemp(join(tmpdir(), 'stockroom-doctor-'))
        chromium = await unpackBrowser(temporary, 0, stopping.signal)
      }
      const pdf = await print(new BrowserStarter(chromium, log.logger, stopping.signal), config)
      if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('the browser made no PDF')
    } catch (problem) {
      const advice = config.chromePath
        ? 'Set CHROME_PATH to a Chrome or Chromium that this user can start.'
        : 'Set CHROME_PATH to an installed Chrome or Chromium; until then labels and reports cannot be printed.'
      return [error(`No document can be printed: ${(problem as Error).message}`, advice)]
    } finally {
      stopping.abort()
      if (temporary) await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
    }
    const messages = log.messages.map((message) =>
      warning(
        `${message.charAt(0).toUpperCase()}${message.slice(1)}`,
        'Run the service as a user without special permissions, outside of a container without namespaces.',
      ),
    )
    return [ok('The browser starts and prints a PDF'), ...messages]
  },
}

async function print(starter: BrowserStarter, { printSeconds, printMemoryMegabytes }: Config): Promise<Buffer> {
  const browser = new BrowserProcess(starter, { seconds: printSeconds, memoryMegabytes: printMemoryMegabytes, idleSeconds: 1 })
  try {
    return await browser.print((page) => page.pdf({ html: '<p>Stockroom</p>', page: PAGE, resource: async () => undefined }))
  } finally {
    await browser.close()
  }
}

/** A log whose warnings become findings. */
function collectWarnings() {
  const messages: string[] = []
  const stream = new Writable({
    write(line, _encoding, done) {
      messages.push(String(JSON.parse(String(line)).msg))
      done()
    },
  })
  return { messages, logger: pino({ level: 'warn' }, stream) }
}
