import { deliverNotifications } from '../resources/notifications/deliver-notifications.ts'
import { attach } from './attach.ts'
import { buildHistory } from './build-history.ts'
import type { Calendar } from './calendar.ts'
import { type Application, Client } from './client.ts'
import { OPENING } from './data/stock.ts'
import { Keys } from './keys.ts'
import { orderHistory } from './order-history.ts'
import type { DemoContext } from './past-event.ts'
import { returnHistory } from './return-history.ts'
import { salesHistory } from './sales-history.ts'
import { scans } from './scans.ts'
import { setUp } from './set-up.ts'
import { stockHistory } from './stock-history.ts'
import { makeTemplates } from './templates.ts'

/** Fraction of the progress at which the workshop is set up, before the first event. */
const SETUP_SHARE = 0.4

/**
 * Sets the workshop up, and runs all events in the order of their days.
 * @param password of the demo accounts
 * @param progress receives the finished fraction, from 0 to 1; an error that it throws ends the run
 */
export async function live(
  app: Application,
  password: string,
  calendar: Calendar,
  progress: (done: number) => unknown = () => {},
): Promise<void> {
  const scene: DemoContext = { client: new Client(app, password), keys: new Keys(), calendar }
  await setUp(scene)
  await makeTemplates(scene)
  await calendar.moveTo(OPENING - 1)
  const happenings = [
    ...orderHistory(scene),
    ...stockHistory(scene),
    ...salesHistory(scene),
    ...returnHistory(scene),
    ...buildHistory(scene),
    ...scans(scene),
  ].toSorted((one, other) => one.day - other.day)
  for (const [at, { day, run }] of happenings.entries()) {
    await progress(SETUP_SHARE + (1 - SETUP_SHARE) * (at / happenings.length))
    await run()
    await deliverNotifications(app.routes.services)
    await calendar.moveTo(day)
  }
  await attach(scene)
}
