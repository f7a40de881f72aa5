import { flag, integer, text } from '../setting.ts'

/** Stock: serial numbers, batches, expiry, ownership, stocktake, test results. */
export const stockSettings = {
  SERIAL_NUMBER_GLOBALLY_UNIQUE: flag(false, 'Unique serial numbers', 'A serial number is used once over all parts.'),
  SERIAL_NUMBER_AUTOFILL: flag(false, 'Fill in serial numbers', 'Forms suggest the next serial number.'),
  STOCK_DELETE_DEPLETED_DEFAULT: flag(true, 'Delete when empty', 'New stock items are deleted once they are used up.'),
  STOCK_BATCH_CODE_TEMPLATE: text('', 'Batch code template', 'Template from which new batch codes are made.'),
  STOCK_ENABLE_EXPIRY: flag(false, 'Expiry dates', 'Stock items can expire.'),
  STOCK_ALLOW_EXPIRED_SALE: flag(false, 'Sell expired stock', 'Expired stock may be sold.'),
  STOCK_STALE_DAYS: integer(0, 'Stale stock', 'Stock is stale this long before it expires.', { units: 'days' }),
  STOCK_ALLOW_EXPIRED_BUILD: flag(false, 'Build with expired stock', 'Expired stock may be used in builds.'),
  STOCK_OWNERSHIP_CONTROL: flag(false, 'Ownership', 'Only owners may change stock and locations that are owned.'),
  STOCK_LOCATION_DEFAULT_ICON: text('', 'Location icon', 'Icon of locations that have none of their own.'),
  STOCK_SHOW_INSTALLED_ITEMS: flag(false, 'Installed stock', 'Lists show stock items that are installed in others.'),
  STOCK_ENFORCE_BOM_INSTALLATION: flag(
    true,
    'Install by bill of materials',
    'Only parts of its bill of materials are installed in a stock item.',
  ),
  STOCK_ALLOW_OUT_OF_STOCK_TRANSFER: flag(false, 'Move absent stock', 'Stock items that are not in stock may be moved.'),
  STOCKTAKE_ENABLE: flag(false, 'Stocktake', 'Offer stocktake functions.'),
  STOCKTAKE_EXCLUDE_EXTERNAL: flag(false, 'Leave out external locations', 'A stocktake leaves out stock in external locations.'),
  STOCKTAKE_AUTO_DAYS: integer(0, 'Automatic stocktake', 'Time between two automatic stocktakes; 0 for never.', {
    min: 0,
    max: 36_500,
  }),
  STOCKTAKE_DELETE_REPORT_DAYS: integer(30, 'Keep stocktake reports', 'Stocktake reports are deleted after this time.', {
    min: 7,
    units: 'days',
  }),
  TEST_STATION_DATA: flag(false, 'Test station data', 'Test results record the station and the times of the test.'),
}
