import { randomBytes } from 'node:crypto'
import { closeAccounts, makeAccounts, transferOwnership } from './accounts.ts'
import { Calendar } from './calendar.ts'
import type { Application } from './client.ts'
import { live } from './live.ts'

/**
 * Fills a database that holds no inventory with the workshop while the service runs on it. The password of the demo accounts is never
 * published: in the end the accounts are inactive, and their private data belongs to the account that requested the demo.
 */
export async function addDemoData(app: Application, requester: number, progress: (done: number) => unknown): Promise<void> {
  const { database } = app.routes.services
  const password = randomBytes(24).toString('base64url')
  const calendar = await Calendar.open(database)
  await makeAccounts(database, password, true)
  try {
    await live(app, password, calendar, progress)
  } finally {
    await closeDemoAccounts(app, requester)
  }
}

/** Deactivates the demo accounts, and transfers their private data to the account that requested the demo. */
export async function closeDemoAccounts(app: Application, requester: number): Promise<void> {
  const { database, accounts } = app.routes.services
  await closeAccounts(database)
  accounts.invalidate()
  await transferOwnership(database, requester)
}
