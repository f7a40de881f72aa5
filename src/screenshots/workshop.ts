import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { type App, buildApp } from '../app.ts'
import { loadConfig } from '../config.ts'
import { bundleConsole } from '../console-bundle/bundled.ts'
import { openDatabase } from '../database/with-database.ts'
import { fillDemo } from '../demo-command.ts'
import { recalculateDuePrices } from '../resources/part/pricing/price-runs.ts'
import { installBrowser } from '../testing/printing.ts'
import { stopClock } from './fixed-time.ts'

/** The address that pages and documents show, in place of one with the port of the day. Browsers trust it like https. */
export const SITE = 'http://localhost:8000'

/** The service with the demo workshop, at a fixed time. */
export type Workshop = {
  app: App
  /** The host and port where it listens. */
  host: string
  stop(): Promise<void>
}

/** Starts the service with the demo workshop in a folder and a database of its own. @param time see `stopClock` */
export async function startWorkshop(time: string): Promise<Workshop> {
  await bundleConsole()
  const folder = mkdtempSync(join(tmpdir(), 'stockroom-pictures-'))
  const closing: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const close of closing.toReversed()) await close()
  }
  try {
    const config = loadConfig({ DATA_DIR: folder, PORT: '0', SITE_URL: SITE })
    const log = pino({ level: 'error' }, pino.destination(2))
    await installBrowser(folder)
    const { pool, url: databaseUrl, stop: stopDatabase } = await openDatabase(config, log)
    closing.push(stopDatabase, await stopClock(pool, time))
    const options = { config, pool, databaseUrl, log }
    await fillDemo(options)
    // background work would change pages at times of its own; prices are all that it adds to a new demo
    const app = await buildApp({ ...options, runsBackgroundWork: false })
    closing.push(() => app.close())
    await app.ready()
    await recalculateDuePrices(app.routes.services)
    await app.listen({ host: '127.0.0.1', port: 0 })
    return { app, host: `127.0.0.1:${(app.server.address() as AddressInfo).port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
