import { batchCodeTemplate } from '../checks.ts'
import { flag, integer, text } from '../setting.ts'

/** Stock: serial numbers, batches, expiry, ownership, stocktake, test results. */
export const stockSettings = {
  SERIAL_NUMBER_GLOBALLY_UNIQUE: flag(
    false,
    'Globally Unique Serials',
    'A serial number is used once over all parts. Off: once among a part, its template and all variants of that.',
  ),
  SERIAL_NUMBER_AUTOFILL: flag(false, 'Autofill Serial Numbers', 'Interfaces fill in the next serial number.'),
  STOCK_DELETE_DEPLETED_DEFAULT: flag(
    true,
    'Delete Depleted Stock',
    'A new stock item without a serial number is deleted once nothing is left of it, unless told otherwise.',
  ),
  STOCK_BATCH_CODE_TEMPLATE: text(
    '',
    'Batch Code Template',
    'What the batch code of new stock is made from where none is given, such as `{{ year }}-{{ week }}` in UTC. Empty: no batch code.',
    { check: batchCodeTemplate },
  ),
  STOCK_ENABLE_EXPIRY: flag(
    false,
    'Stock Expiry',
    'Stock can expire: interfaces show expiry dates, and the filters `expired` and `stale` act. Off: these are passed over.',
  ),
  STOCK_ALLOW_EXPIRED_SALE: flag(false, 'Sell Expired Stock', 'Interfaces offer expired stock to be sold, too.'),
  STOCK_STALE_DAYS: integer(
    0,
    'Stock Stale Time',
    'Days before its expiry date from which on stock counts as stale; 0 for not before it is expired.',
    { units: 'days' },
  ),
  STOCK_ALLOW_EXPIRED_BUILD: flag(false, 'Build Expired Stock', 'Interfaces offer expired stock to be used in builds, too.'),
  STOCK_OWNERSHIP_CONTROL: flag(
    false,
    'Stock Ownership Control',
    'Interfaces let stock and locations that have an owner be changed by that owner alone. The rights of accounts stay what they are.',
  ),
  STOCK_LOCATION_DEFAULT_ICON: text(
    '',
    'Stock Location Default Icon',
    'The icon of a location that has no icon and no type of its own; empty for none.',
  ),
  STOCK_SHOW_INSTALLED_ITEMS: flag(
    false,
    'Show Installed Stock Items',
    'Interfaces show stock that is installed in other stock items, too.',
  ),
  STOCK_ENFORCE_BOM_INSTALLATION: flag(
    true,
    'Check BOM when installing items',
    'A stock item takes in only stock of parts in its bill of materials.',
  ),
  STOCK_ALLOW_OUT_OF_STOCK_TRANSFER: flag(
    false,
    'Allow Out of Stock Transfer',
    'What is not in stock, such as what a customer has, may be moved to another location.',
  ),
  STOCKTAKE_ENABLE: flag(
    false,
    'Stocktake Functionality',
    'Stocktakes of many parts at once are made, by whoever asks for one and by the clock.',
  ),
  STOCKTAKE_EXCLUDE_EXTERNAL: flag(
    false,
    'Exclude External Locations',
    'A stocktake leaves out stock in external locations, unless whoever asks for it says otherwise.',
  ),
  STOCKTAKE_AUTO_DAYS: integer(
    0,
    'Automatic Stocktake Period',
    'Days between two stocktakes that are made without being asked for; 0 for never.',
    { min: 0, max: 36_500 },
  ),
  STOCKTAKE_DELETE_REPORT_DAYS: integer(
    30,
    'Report Deletion Interval',
    'Days after which the report of a stocktake is deleted.',
    { min: 7, units: 'days' },
  ),
  TEST_STATION_DATA: flag(
    false,
    'Enable Test Station Data',
    'Interfaces ask at which station a test was made, and when it began and ended. Such data are taken in any case.',
  ),
}
