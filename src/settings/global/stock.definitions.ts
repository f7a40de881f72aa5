import { validateBatchCodeTemplate } from '../checks.ts'
import { flag, integer, text } from '../setting.ts'

/** Stock: serial numbers, batches, expiry, ownership, stocktake, test results. */
export const stockSettings = {
  SERIAL_NUMBER_GLOBALLY_UNIQUE: flag(
    false,
    'Globally Unique Serials',
    'A serial number is unique across all parts. Off: unique within a part, its template and all variants.',
  ),
  SERIAL_NUMBER_AUTOFILL: flag(false, 'Autofill Serial Numbers', 'Clients fill in the next serial number.', {
    usedBy: 'clients',
  }),
  STOCK_ALLOW_EDIT_SERIAL: flag(true, 'Edit Serial Numbers', 'The serial number of an existing stock item can be changed.'),
  STOCK_ALLOW_DELETE_SERIALIZED: flag(true, 'Delete Serialized Stock', 'Stock items with a serial number can be deleted.'),
  STOCK_DELETE_DEPLETED_DEFAULT: flag(
    true,
    'Delete Depleted Stock',
    'A new stock item without a serial number is deleted by default when its quantity becomes zero.',
  ),
  STOCK_BATCH_CODE_TEMPLATE: text(
    '',
    'Batch Code Template',
    'The template for the default batch code of new stock, such as `{{ year }}-{{ week }}` in UTC. Empty for none.',
    { check: validateBatchCodeTemplate },
  ),
  STOCK_ENABLE_EXPIRY: flag(
    false,
    'Stock Expiry',
    'Stock can expire: expiry dates are shown, and lists can be filtered by them. Off: they are ignored.',
  ),
  STOCK_ALLOW_EXPIRED_SALE: flag(
    false,
    'Sell Expired Stock',
    'Expired stock can be sold. Off: it is not offered for sales orders.',
  ),
  STOCK_STALE_DAYS: integer(
    0,
    'Stock Stale Time',
    'The number of days before its expiry date from which stock is stale; 0 for only after it.',
    { units: 'days' },
  ),
  STOCK_ALLOW_EXPIRED_BUILD: flag(
    false,
    'Build Expired Stock',
    'Expired stock can be used in builds. Off: it is not allocated automatically.',
  ),
  STOCK_OWNERSHIP_CONTROL: flag(
    false,
    'Stock Ownership Control',
    'Clients allow only the owner to change owned stock and locations. API permissions are not affected.',
    { usedBy: 'clients' },
  ),
  STOCK_LOCATION_DEFAULT_ICON: text(
    '',
    'Stock Location Default Icon',
    'The icon for locations without an icon or a type; empty for none.',
  ),
  STOCK_SHOW_INSTALLED_ITEMS: flag(
    false,
    'Show Installed Stock Items',
    'Clients show stock that is installed in other stock items.',
    { usedBy: 'clients' },
  ),
  STOCK_ENFORCE_BOM_INSTALLATION: flag(
    true,
    'Check BOM when installing items',
    'Only parts in its BOM can be installed in a stock item.',
  ),
  STOCK_ALLOW_OUT_OF_STOCK_TRANSFER: flag(
    false,
    'Allow Out of Stock Transfer',
    'Stock items that are not in stock, such as those of a customer, can be transferred.',
  ),
  STOCK_MERGE_ON_TRANSFER: flag(
    false,
    'Merge stock with existing stock on transfer by default',
    'Transferred stock is merged with stock at its destination. Stockroom merges stock only on request. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  STOCK_TRACKING_DELETE_OLD_ENTRIES: flag(
    false,
    'Delete Old Stock Tracking Entries',
    'Old history of stock is deleted. Stockroom keeps it, as quantities are verified against it. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  STOCK_TRACKING_DELETE_DAYS: integer(
    365,
    'Stock Tracking Deletion Interval',
    'The number of days before history of stock is deleted. Stockroom keeps it, as quantities are verified against it. The setting is only stored.',
    { min: 30, units: 'days', usedBy: 'clients' },
  ),
  STOCKTAKE_ENABLE: flag(false, 'Stocktake Functionality', 'Stocktakes of many parts are enabled, on request and on a schedule.'),
  STOCKTAKE_EXCLUDE_EXTERNAL: flag(
    false,
    'Exclude External Locations',
    'Stocktakes exclude stock in external locations by default.',
  ),
  STOCKTAKE_AUTO_DAYS: integer(0, 'Automatic Stocktake Period', 'The number of days between automatic stocktakes; 0 for never.', {
    min: 0,
    max: 36_500,
  }),
  STOCKTAKE_DELETE_REPORT_DAYS: integer(
    30,
    'Report Deletion Interval',
    'The number of days before a stocktake report is deleted.',
    { min: 7, units: 'days' },
  ),
  STOCKTAKE_DELETE_OLD_ENTRIES: flag(
    false,
    'Delete Old Stocktake Entries',
    'Stocktakes of parts are deleted after the number of days of the deletion interval.',
  ),
  STOCKTAKE_DELETE_DAYS: integer(
    365,
    'Stocktake Deletion Interval',
    'The number of days before a stocktake of a part is deleted, while old stocktakes are deleted.',
    { min: 30, units: 'days' },
  ),
  TEST_STATION_DATA: flag(
    false,
    'Enable Test Station Data',
    'Clients ask for the station, start and end of a test. The API always accepts these fields.',
    { usedBy: 'console' },
  ),
}
