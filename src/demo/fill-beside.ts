import { randomBytes } from 'node:crypto'
import { bequeath, closeAccounts, makeAccounts } from './accounts.ts'
import { Calendar } from './calendar.ts'
import type { Application } from './client.ts'
import { live } from './live.ts'

/**
 * Fills a database that holds no inventory with the workshop while the service runs on it. Nobody ever knows the password of the accounts
 * of the demo: in the end they are inactive, and what is theirs alone belongs to whoever asked.
 */
export async function fillBeside(app: Application, asker: number, progress: (done: number) => unknown): Promise<void> {
  const { database } = app.routes.services
  const password = randomBytes(24).toString('base64url')
  const calendar = await Calendar.open(database)
  await makeAccounts(database, password, true)
  try {
    await live(app, password, calendar, progress)
  } finally {
    await closeBeside(app, asker)
  }
}

/** Closes the accounts of the demo, and gives what is theirs alone to whoever asked for it. */
export async function closeBeside(app: Application, asker: number): Promise<void> {
  const { database, accounts } = app.routes.services
  await closeAccounts(database)
  accounts.forget()
  await bequeath(database, asker)
}
