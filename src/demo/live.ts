import { deliverNotifications } from '../resources/notifications/deliver-notifications.ts'
import { addAttachments } from './attach.ts'
import { listBuildEvents } from './build-history.ts'
import type { Calendar } from './calendar.ts'
import { type Application, Client } from './client.ts'
import { OPENING_DAY } from './data/stock.ts'
import { Keys } from './keys.ts'
import { listPurchaseOrderEvents } from './order-history.ts'
import type { DemoContext } from './past-event.ts'
import { listReturnOrderEvents } from './return-history.ts'
import { listSalesOrderEvents } from './sales-history.ts'
import { listScanEvents } from './scans.ts'
import { setUp } from './set-up.ts'
import { listStockEvents } from './stock-history.ts'
import { createTemplates } from './templates.ts'
import { listTransferOrderEvents } from './transfer-history.ts'

/** Fraction of the progress that is reached when the workshop is set up, before the first event. */
const SETUP_SHARE = 0.4

/**
 * Sets the workshop up, and runs all events in the order of their days.
 * @param password of the demo accounts
 * @param progress receives the finished fraction, from 0 to 1; an error that it throws ends the run
 */
export async function runDemoEvents(
  app: Application,
  password: string,
  calendar: Calendar,
  progress: (fraction: number) => unknown = () => {},
): Promise<void> {
  const context: DemoContext = { client: new Client(app, password), keys: new Keys(), calendar }
  await setUp(context)
  await createTemplates(context)
  await calendar.backdateTo(OPENING_DAY - 1)
  const events = [
    ...listPurchaseOrderEvents(context),
    ...listStockEvents(context),
    ...listSalesOrderEvents(context),
    ...listReturnOrderEvents(context),
    ...listTransferOrderEvents(context),
    ...listBuildEvents(context),
    ...listScanEvents(context),
  ].toSorted((one, other) => one.day - other.day)
  for (const [index, { day, run }] of events.entries()) {
    await progress(SETUP_SHARE + (1 - SETUP_SHARE) * (index / events.length))
    await run()
    await deliverNotifications(app.routes.services)
    await calendar.backdateTo(day)
  }
  await addAttachments(context)
}
