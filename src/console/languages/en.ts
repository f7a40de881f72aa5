import { bom } from './en/bom.ts'
import { builds } from './en/builds.ts'
import { calendar } from './en/calendar.ts'
import { companies } from './en/companies.ts'
import { count } from './en/count.ts'
import { home } from './en/home.ts'
import { importing } from './en/import.ts'
import { locations } from './en/locations.ts'
import { notifications } from './en/notifications.ts'
import { orders } from './en/orders.ts'
import { parts } from './en/parts.ts'
import { purchaseOrders } from './en/purchase-orders.ts'
import { returnOrders } from './en/return-orders.ts'
import { salesOrders } from './en/sales-orders.ts'
import { scan } from './en/scan.ts'
import { search } from './en/search.ts'
import { settings } from './en/settings.ts'
import { settingsAccount } from './en/settings-account.ts'
import { settingsOperation } from './en/settings-operation.ts'
import { settingsPeople } from './en/settings-people.ts'
import { settingsPlugins } from './en/settings-plugins.ts'
import { settingsPrinters } from './en/settings-printers.ts'
import { settingsPrinting } from './en/settings-printing.ts'
import { settingsSystem } from './en/settings-system.ts'
import { setup } from './en/setup.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { stock } from './en/stock.ts'
import { transferOrders } from './en/transfer-orders.ts'

/** English: a file for each feature. Every language has these keys. */
export const en = {
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
} as const

export type Words = typeof en
