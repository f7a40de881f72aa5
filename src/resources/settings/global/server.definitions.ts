import { baseUrl } from '../checks.ts'
import { choiceFrom, flag, integer, text } from '../setting.ts'

/** The installation itself: its name and address, currencies, downloads, housekeeping, barcodes. */
export const serverSettings = {
  SERVER_RESTART_REQUIRED: flag(false, 'Restart required', 'A changed setting takes effect when the service is started again.'),
  _PENDING_MIGRATIONS: integer(0, 'Pending migrations', 'Changes of the database that are still to be made.'),
  INVENTREE_INSTANCE: text('Stockroom', 'Instance name', 'What this installation is called.'),
  INVENTREE_INSTANCE_TITLE: flag(false, 'Name in the title bar', 'Show the instance name in the title bar.'),
  INVENTREE_RESTRICT_ABOUT: flag(false, 'Restrict version details', 'Show the details of this version to superusers only.'),
  INVENTREE_COMPANY_NAME: text('My company name', 'Company name', 'Name of your own company, shown on documents.'),
  INVENTREE_BASE_URL: text('', 'Public address', 'Address that links and mails start with.', {
    check: baseUrl,
    objectsAsWhole: true,
  }),
  INVENTREE_DEFAULT_CURRENCY: choiceFrom(
    'currency',
    'USD',
    'Default currency',
    'Currency in which prices are compared and summed.',
  ),
  CURRENCY_UPDATE_INTERVAL: integer(1, 'Exchange rate interval', 'Fetch exchange rates this often; 0 for never.', {
    min: 0,
    units: 'days',
  }),
  CURRENCY_UPDATE_PLUGIN: choiceFrom(
    'rate_plugin',
    'inventreecurrencyexchange',
    'Exchange rate source',
    'Plugin that fetches the exchange rates.',
  ),
  INVENTREE_DOWNLOAD_FROM_URL: flag(false, 'Images from the web', 'Allow images to be fetched from an address.'),
  INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE: integer(1, 'Largest image', 'Largest image that is fetched from an address.', {
    min: 1,
    max: 25,
    units: 'MB',
  }),
  INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT: text(
    '',
    'Name for downloads',
    'User agent sent when images are fetched; empty for the usual one.',
  ),
  INVENTREE_STRICT_URLS: flag(true, 'Strict links', 'Links must say their scheme, such as https.'),
  INVENTREE_REQUIRE_CONFIRM: flag(true, 'Ask first', 'Ask for confirmation before certain actions.'),
  INVENTREE_TREE_DEPTH: integer(1, 'Tree depth', 'Levels that are open when a tree is first shown.', { min: 0 }),
  INVENTREE_UPDATE_CHECK_INTERVAL: integer(7, 'Look for releases', 'Look for new releases this often; 0 for never.', {
    min: 0,
    units: 'days',
  }),
  INVENTREE_BACKUP_ENABLE: flag(false, 'Scheduled backup', 'Back up the data and the files on a schedule.'),
  INVENTREE_BACKUP_DAYS: integer(1, 'Backup interval', 'Time between two backups.', { min: 1, units: 'days' }),
  INVENTREE_DELETE_TASKS_DAYS: integer(30, 'Keep finished tasks', 'Finished background tasks are forgotten after this time.', {
    min: 7,
    units: 'days',
  }),
  INVENTREE_DELETE_ERRORS_DAYS: integer(30, 'Keep error log', 'Logged errors are forgotten after this time.', {
    min: 7,
    units: 'days',
  }),
  INVENTREE_DELETE_NOTIFICATIONS_DAYS: integer(30, 'Keep notifications', 'Notifications are forgotten after this time.', {
    min: 7,
    units: 'days',
  }),
  BARCODE_ENABLE: flag(true, 'Barcodes', 'Offer barcode functions in the web interface.'),
  BARCODE_INPUT_DELAY: integer(50, 'Barcode delay', 'Wait this long after the input of a scanner.', { min: 1, units: 'ms' }),
  BARCODE_WEBCAM_SUPPORT: flag(true, 'Scan by camera', 'Allow barcodes to be scanned with the camera of the browser.'),
}
