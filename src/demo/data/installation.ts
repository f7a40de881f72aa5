/** Global settings of the workshop that differ from the defaults. */
export const settings: Record<string, string | number | boolean> = {
  STOCKTAKE_ENABLE: true,
  INVENTREE_COMPANY_NAME: 'Songbird Instruments',
  DOCUMENT_ADDRESS: 'Zeisestraße 14\n22765 Hamburg\nGermany',
  DOCUMENT_CONTACT: '+49 40 5550 118\nhello@songbird.example\nwww.songbird.example',
  DOCUMENT_TAX_ID: 'DE 123 456 789',
  DOCUMENT_FOOTER: 'Elbe Bank · IBAN DE02 1203 0000 0000 2020 51\nHRB 123456, Amtsgericht Hamburg',
  INVENTREE_DEFAULT_CURRENCY: 'EUR',
  PROJECT_CODES_ENABLED: true,
  REPORT_ENABLE: true,
  RETURNORDER_ENABLED: true,
  STOCK_ENABLE_EXPIRY: true,
  STOCK_STALE_DAYS: 30,
}

/** The value of one euro in each currency. Totals convert the prices of suppliers with these rates. */
export const exchangeRates: Record<string, string> = { CNY: '7.85', GBP: '0.85', JPY: '162', USD: '1.09' }

/** States that the workshop adds to those of stock and purchase orders. */
export const customStates = [
  {
    reference_status: 'StockStatus',
    key: 155,
    name: 'IN_REPAIR',
    label: 'In repair',
    logical_key: 55,
    color: 'warning',
  },
  {
    reference_status: 'PurchaseOrderStatus',
    key: 120,
    name: 'CONFIRMED',
    label: 'Confirmed by the supplier',
    logical_key: 20,
    color: 'success',
  },
]

/** Custom units: wire is ordered by the spool and counted in meters. */
export const customUnits = [{ name: 'spool', symbol: '', definition: '100 metre' }]

export type DemoProjectCode = { code: string; description: string; responsible: string }

export const projectCodes: DemoProjectCode[] = [
  { code: 'WREN', description: 'Wren pocket synthesizer, second and third batch', responsible: 'Purchasing' },
  { code: 'ROBIN', description: 'Robin drum machine, prototypes and first batch', responsible: 'demo' },
  { code: 'WORKSHOP', description: 'Workshop consumables', responsible: 'Stores' },
]

/** Saved views of the accounts. */
export const savedViews = [
  { name: 'Open orders', path: '/purchase-orders', query: 'outstanding=true&ordering=target_date', shared: true },
  { name: 'Low stock', path: '/parts', query: 'low_stock=true', shared: false },
]
