import { randomBytes } from 'node:crypto'
import { type AppOptions, buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase } from './database/with-database.ts'
import { createAccounts, setAccountPasswords } from './demo/accounts.ts'
import { Calendar } from './demo/calendar.ts'
import { runDemoEvents } from './demo/live.ts'
import { createSummary } from './demo/summary.ts'
import { Database } from './kit/sql/tx.ts'
import { createLog } from './log.ts'
import { OperatorError } from './operator-error.ts'
import { PASSWORD } from './resources/web/demo/demo-accounts.ts'

/**
 * Fills an empty database with a small workshop, with no service running, and prints a summary of it.
 * @throws OperatorError when the database is not empty, or the demo could not be finished
 */
export async function runDemo(config: Config): Promise<void> {
  // Logs only errors, to stderr: the demo's own requests are not worth logging, and its output goes to stdout.
  const log = createLog({ ...config, logLevel: 'error', stream: 2 })
  const database = await openDatabase(config, log)
  try {
    await fillDemo({ config, pool: database.pool, databaseUrl: database.url, log })
    console.log(await createSummary(database.pool, config))
  } finally {
    await database.stop()
  }
}

/**
 * Fills an empty database with the workshop, the same each time except for its dates, which are relative to today. Sends the requests of
 * each day to the application, so that every rule is applied, and totals and history are real.
 *
 * Its accounts have a random, unpublished password until all data is in place, so that anyone who can sign in finds a complete demo.
 * @throws OperatorError when the database is not empty, or the demo could not be finished
 */
export async function fillDemo(options: AppOptions): Promise<void> {
  const password = randomBytes(24).toString('base64url')
  const database = new Database(options.pool)
  const calendar = await Calendar.open(database)
  await createAccounts(database, password)
  try {
    await fill(options, password, calendar)
    await setAccountPasswords(database, PASSWORD)
  } catch (error) {
    throw new OperatorError(
      `the demo stopped with an error, and nobody can sign in to the incomplete data; start again with another DATA_DIR. ${(error as Error).message}`,
      { cause: error },
    )
  }
}

async function fill(options: AppOptions, password: string, calendar: Calendar): Promise<void> {
  const app = await buildApp({ ...options, runsBackgroundWork: false })
  try {
    await runDemoEvents(app, password, calendar)
  } finally {
    await app.close()
  }
}
