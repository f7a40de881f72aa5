import { baseUrl } from '../checks.ts'
import { choiceFrom, flag, integer, text } from '../setting.ts'

/** The installation itself: its name and address, currencies, downloads, housekeeping, barcodes. */
export const serverSettings = {
  SERVER_RESTART_REQUIRED: flag(
    false,
    'Restart required',
    'A setting was changed that holds from the next start of the service on. Here all hold at once, so that nothing sets it.',
  ),
  _PENDING_MIGRATIONS: integer(0, 'Pending migrations', 'Changes of the database that are still to be made.'),
  INVENTREE_INSTANCE: text(
    'Stockroom',
    'Server Instance Name',
    'What this installation is called, in `GET /api/`, in mails and in authenticators; empty for `INSTANCE_NAME` of the configuration.',
  ),
  INVENTREE_INSTANCE_TITLE: flag(false, 'Use instance name', 'Interfaces show the name of the installation in the title bar.'),
  INVENTREE_RESTRICT_ABOUT: flag(
    false,
    'Restrict showing `about`',
    'Interfaces show the details of the version to superusers alone.',
  ),
  INVENTREE_COMPANY_NAME: text('My company name', 'Company name', 'The name of your own company, for interfaces and documents.'),
  INVENTREE_BASE_URL: text(
    '',
    'Base URL',
    'The public address of the service, for interfaces; empty for none. Links in mails begin with `SITE_URL` of the configuration instead.',
    { check: baseUrl, objectsAsWhole: true },
  ),
  INVENTREE_DEFAULT_CURRENCY: choiceFrom(
    'currency',
    'USD',
    'Default Currency',
    'The currency in which prices are compared and summed, and which an amount is in when nothing else says so.',
  ),
  CURRENCY_UPDATE_INTERVAL: integer(
    1,
    'Currency Update Interval',
    'Days after which exchange rates are fetched again; 0 for never. They count from when a rate was last set, also by hand.',
    { min: 0, units: 'days' },
  ),
  CURRENCY_UPDATE_PLUGIN: choiceFrom(
    'rate_plugin',
    'inventreecurrencyexchange',
    'Currency Update Plugin',
    'The plugin that fetches exchange rates; empty for none. Only one that is switched on can be chosen.',
  ),
  INVENTREE_DOWNLOAD_FROM_URL: flag(
    false,
    'Download from URL',
    'A picture may be given by an address that the service fetches it from: from the public internet, and from hosts that `FETCH_ALLOWED_HOSTS` names.',
  ),
  INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE: integer(
    1,
    'Download Size Limit',
    'The most MB of a picture that the service fetches from an address; what MAX_FILE_BYTES allows is the most in any case.',
    { min: 1, max: 25, units: 'MB' },
  ),
  INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT: text(
    '',
    'User-agent used to download from URL',
    'What the service calls itself when it fetches a picture (`User-Agent`); empty for the usual name.',
  ),
  INVENTREE_STRICT_URLS: flag(
    true,
    'Strict URL Validation',
    'A link needs a scheme, such as `https://`. Off: one without a scheme is taken, too.',
  ),
  INVENTREE_REQUIRE_CONFIRM: flag(true, 'Require confirm', 'Interfaces ask once more before certain actions.'),
  INVENTREE_TREE_DEPTH: integer(1, 'Tree Depth', 'How many levels of a tree interfaces open at first; 0 for none.', { min: 0 }),
  INVENTREE_UPDATE_CHECK_INTERVAL: integer(
    7,
    'Update Check Interval',
    'Days between two looks for a new release. Stockroom does not look for any. The setting is only stored.',
    { min: 0, units: 'days' },
  ),
  INVENTREE_BACKUP_ENABLE: flag(
    false,
    'Automatic Backup',
    'Data and files are backed up from time to time, into `BACKUP_DIR` of the machine that the service runs on.',
  ),
  INVENTREE_BACKUP_DAYS: integer(1, 'Auto Backup Interval', 'Days from one backup to the next.', {
    min: 1,
    units: 'days',
  }),
  INVENTREE_DELETE_TASKS_DAYS: integer(
    30,
    'Task Deletion Interval',
    'Days after which the record of a background task that failed is deleted; that of one that was done goes after a day.',
    { min: 7, units: 'days' },
  ),
  INVENTREE_DELETE_ERRORS_DAYS: integer(30, 'Error Log Deletion Interval', 'Days after which a recorded error is deleted.', {
    min: 7,
    units: 'days',
  }),
  INVENTREE_DELETE_NOTIFICATIONS_DAYS: integer(
    30,
    'Notification Deletion Interval',
    'Days after which a notification is deleted.',
    { min: 7, units: 'days' },
  ),
  BARCODE_ENABLE: flag(true, 'Barcode Support', 'Interfaces offer to scan barcodes.'),
  BARCODE_INPUT_DELAY: integer(
    50,
    'Barcode Input Delay',
    'Milliseconds that interfaces wait for more after the input of a scanner.',
    { min: 1, units: 'ms' },
  ),
  BARCODE_WEBCAM_SUPPORT: flag(true, 'Barcode Webcam Support', 'Interfaces offer to scan with a camera.'),
  BARCODE_RESULTS_DAYS: integer(
    90,
    'Barcode Results Interval',
    'Days after which a scan is deleted from the history of scans; until then it can be taken back.',
    { min: 1, units: 'days' },
  ),
}
