import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import { backUpBeforeUpdate } from './backup/before-update.ts'
import { loadCertificate, watchCertificate } from './certificate.ts'
import { buildListenUrl, type Config, findNetworkUrl } from './config.ts'
import { bundleConsole } from './console-bundle/bundled.ts'
import { openDatabase } from './database/with-database.ts'
import { describeDemoSignIn } from './demo/sign-in.ts'
import { bundleDocs } from './docs-bundle/bundled.ts'
import { createLog } from './log.ts'
import { OperatorError } from './operator-error.ts'
import { decodeCodes } from './resources/barcode/assign-codes.ts'
import { recomputeNumbers } from './resources/parameter/recompute-numbers.ts'
import { ensureFirstAccount } from './resources/user/first-account.ts'

export type RunningService = {
  /** The URL where it listens, without a slash at the end. With PORT=0 it has the port that was assigned. */
  url: string
  app: FastifyInstance
  pool: Pool
  /** Lets the requests in flight finish, for 10 seconds at most, then closes the database. */
  stop(): Promise<void>
}

/** Time limit for requests in flight when the service stops, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000

/**
 * Starts the service: the database with its migrations, then the application, then the listener.
 * @param onLost called when the service cannot continue because its database is permanently gone
 * @throws OperatorError if the operator can fix the cause; nothing is left running then
 */
export async function start(config: Config, onLost?: (error: Error) => void): Promise<RunningService> {
  const log = createLog(config)
  // the service is useful without the console and the guides
  const bundled = Promise.all([
    bundleConsole().catch((error) => log.warn(`the web console is unavailable: ${error.message}`)),
    bundleDocs().catch((error) => log.warn(`the guides are unavailable: ${error.message}`)),
  ])
  const database = await openDatabase(config, log, { onOlderDatabase: backUpBeforeUpdate(config) }, onLost)
  const { pool } = database
  try {
    await decodeCodes(pool)
    await recomputeNumbers(pool)
    const account = await ensureFirstAccount(pool, config)
    const signIn = (await describeDemoSignIn(pool)) ?? account
    await bundled
    const certificate = await loadCertificate(config)
    const app = await buildApp({ config, pool, databaseUrl: database.url, certificate, disk: database.disk, log })
    if (certificate) app.addHook('onClose', watchCertificate(app.server, config, certificate, log))
    await app.ready()
    const url = await listen(app, config)
    log.info(`The data is in ${database.location}`)
    log.info(`Open ${url}/ and ${signIn}`)
    await printNetworkUrl(url, config, log)
    return { url, app, pool, stop: once(() => stop(app, database.stop, log)) }
  } catch (error) {
    await database.stop()
    throw error
  }
}

/** Runs the service until a signal stops it, or its database is gone. */
export async function serve(config: Config): Promise<void> {
  // A terminal and the parent process may both pass on the same signal, so all after the first are ignored.
  const signal = new Promise<void>((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.on('SIGINT', () => resolve())
  })
  const lost = Promise.withResolvers<void>()
  const service = await start(config, () => lost.resolve())
  flushCompileCache()
  const isLost = await Promise.race([signal.then(() => false), lost.promise.then(() => true)])
  await service.stop()
  process.exit(isLost ? 1 : 0)
}

/** Starts to listen, and returns the URL. */
async function listen(app: FastifyInstance, { host, port, isSecure }: Config): Promise<string> {
  try {
    // the host name resolves to two addresses, of which a server listens on one
    const listenTextResolver = (address: string) => `Stockroom listens on ${address}`
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, listenTextResolver })
    return buildListenUrl(host, (app.server.address() as AddressInfo).port, isSecure)
  } catch (error) {
    await app.close()
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new OperatorError(`port ${port} of ${host} is in use by another program; choose another PORT`)
    if (code === 'EACCES') throw new OperatorError(`this user cannot listen on port ${port}; choose a PORT above 1023`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError(`HOST ${host} is not an address of this machine`)
    throw error
  }
}

/** Reports the address at which other machines reach the service, on a terminal as a QR code for phones. */
async function printNetworkUrl(url: string, config: Config, log: Logger): Promise<void> {
  const address = findNetworkUrl(url, config)
  if (address === undefined) return
  log.info(`On a phone: ${address}/`)
  if (!process.stdout.isTTY || !log.isLevelEnabled('info')) return
  const { renderUnicodeCompact } = await import('uqr')
  console.log(renderUnicodeCompact(`${address}/`))
}

async function stop(app: FastifyInstance, stopDatabase: () => Promise<void>, log: Logger): Promise<void> {
  log.info('stopping')
  const closed = app.close()
  const endedInTime = await Promise.race([closed.then(() => true), pause(STOP_TIMEOUT_MS, false)])
  if (!endedInTime) {
    log.warn('aborting requests in progress')
    app.server.closeAllConnections()
  }
  await stopDatabase()
  log.info('stopped')
}

function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= work()
    return result
  }
}
