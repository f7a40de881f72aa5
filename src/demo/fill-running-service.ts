import { randomBytes } from 'node:crypto'
import { createAccounts, deactivateAccounts, transferOwnership } from './accounts.ts'
import { Calendar } from './calendar.ts'
import type { Application } from './client.ts'
import { runDemoEvents } from './live.ts'

/**
 * Fills a database that holds no inventory with the workshop while the service runs on it. The password of the demo accounts is never
 * published: in the end the accounts are inactive, and their private data belongs to the account that requested the demo.
 */
export async function addDemoData(app: Application, requester: number, progress: (fraction: number) => unknown): Promise<void> {
  const { database } = app.routes.services
  const password = randomBytes(24).toString('base64url')
  const calendar = await Calendar.open(database)
  await createAccounts(database, password, true)
  try {
    await runDemoEvents(app, password, calendar, progress)
  } finally {
    await closeDemoAccounts(app, requester)
  }
}

/** Deactivates the demo accounts, and transfers their private data to the account that requested the demo. */
export async function closeDemoAccounts(app: Application, requester: number): Promise<void> {
  const { database, accounts } = app.routes.services
  await deactivateAccounts(database)
  accounts.invalidate()
  await transferOwnership(database, requester)
}
