import { bom } from './de/bom.ts'
import { builds } from './de/builds.ts'
import { calendar } from './de/calendar.ts'
import { companies } from './de/companies.ts'
import { count } from './de/count.ts'
import { home } from './de/home.ts'
import { importing } from './de/import.ts'
import { locations } from './de/locations.ts'
import { notifications } from './de/notifications.ts'
import { orders } from './de/orders.ts'
import { parts } from './de/parts.ts'
import { purchaseOrders } from './de/purchase-orders.ts'
import { returnOrders } from './de/return-orders.ts'
import { salesOrders } from './de/sales-orders.ts'
import { scan } from './de/scan.ts'
import { search } from './de/search.ts'
import { settings } from './de/settings.ts'
import { settingsAccount } from './de/settings-account.ts'
import { settingsOperation } from './de/settings-operation.ts'
import { settingsPeople } from './de/settings-people.ts'
import { settingsPlugins } from './de/settings-plugins.ts'
import { settingsPrinters } from './de/settings-printers.ts'
import { settingsPrinting } from './de/settings-printing.ts'
import { settingsSystem } from './de/settings-system.ts'
import { setup } from './de/setup.ts'
import { shell } from './de/shell.ts'
import { signIn } from './de/sign-in.ts'
import { stock } from './de/stock.ts'
import { transferOrders } from './de/transfer-orders.ts'

/** German, with the informal address that people use in a workshop. */
export const de = {
  ...shell,
  ...signIn,
  ...bom,
  ...builds,
  ...calendar,
  ...companies,
  ...count,
  ...home,
  ...importing,
  ...locations,
  ...orders,
  ...purchaseOrders,
  ...returnOrders,
  ...salesOrders,
  ...stock,
  ...transferOrders,
  ...notifications,
  ...parts,
  ...scan,
  ...search,
  ...setup,
  ...settings,
  ...settingsAccount,
  ...settingsPeople,
  ...settingsSystem,
  ...settingsOperation,
  ...settingsPlugins,
  ...settingsPrinters,
  ...settingsPrinting,
}
