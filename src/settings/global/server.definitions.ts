import { randomUUID } from 'node:crypto'
import { validateBaseUrl, validateUuid } from '../checks.ts'
import { choice, choiceFrom, flag, integer, optionalInteger, text } from '../setting.ts'

/** The installation itself: its name and URL, currencies, downloads, housekeeping, barcodes. */
export const serverSettings = {
  SERVER_RESTART_REQUIRED: flag(
    false,
    'Restart required',
    'A changed setting takes effect only after a restart. In Stockroom, all settings take effect immediately, so this is never set.',
    { usedBy: 'clients' },
  ),
  _SETUP_DISMISSED: flag(false, 'Set-up dismissed', 'The set-up checklist is not shown on the start page.'),
  _PENDING_MIGRATIONS: integer(0, 'Pending migrations', 'Pending database migrations.', { usedBy: 'clients' }),
  _GLOBAL_WARNING: text('', 'Global warnings', 'Warnings about the installation that the web client of InvenTree shows.', {
    usedBy: 'clients',
  }),
  INVENTREE_INSTANCE: text(
    'Stockroom',
    'Server Instance Name',
    'The name of this installation: at the top of each page, in emails and in authenticator apps. Empty for the name in the configuration (`INSTANCE_NAME`).',
  ),
  INVENTREE_INSTANCE_ID: text(
    '',
    'Instance ID',
    'The identifier of this installation (a UUID), generated for each database; empty for none.',
    {
      check: validateUuid,
      generate: randomUUID,
    },
  ),
  INVENTREE_ANNOUNCE_ID: flag(
    false,
    'Announce ID',
    'Anyone who can reach the service can read the identifier of this installation, without signing in.',
  ),
  INVENTREE_SHOW_SUPERUSER_BANNER: flag(
    true,
    'Show superuser banner',
    'The web client of InvenTree warns users who are superusers.',
    {
      usedBy: 'clients',
    },
  ),
  INVENTREE_SHOW_ADMIN_BANNER: flag(false, 'Show admin banner', 'The web client of InvenTree warns users who are staff.', {
    usedBy: 'clients',
  }),
  INVENTREE_INSTANCE_TITLE: flag(false, 'Use instance name', 'Clients show the name of the installation in the title bar.', {
    usedBy: 'console',
  }),
  INVENTREE_RESTRICT_ABOUT: flag(false, 'Restrict showing `about`', 'Clients show version details to superusers only.', {
    usedBy: 'clients',
  }),
  INVENTREE_COMPANY_NAME: text('My company name', 'Company name', 'The name of the company, for clients and documents.'),
  INVENTREE_BASE_URL: text(
    '',
    'Base URL',
    'The public URL of the service, for clients; empty for none. Links in emails start with `SITE_URL` of the configuration instead.',
    { check: validateBaseUrl, reportsOnObject: true, usedBy: 'clients' },
  ),
  INVENTREE_DEFAULT_CURRENCY: choiceFrom(
    'currency',
    'USD',
    'Default Currency',
    'The currency in which prices are compared and totaled, and the default currency of amounts.',
  ),
  CURRENCY_CODES: text(
    'AUD,CAD,CNY,EUR,GBP,JPY,NZD,USD',
    'Supported Currencies',
    'Currency codes, separated by commas. Stockroom supports a fixed list of currencies. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  CURRENCY_UPDATE_INTERVAL: integer(
    1,
    'Currency Update Interval',
    'The number of days between updates of exchange rates; 0 for never. Setting a rate manually restarts the period.',
    { min: 0, units: 'days' },
  ),
  CURRENCY_UPDATE_PLUGIN: choiceFrom(
    'rate_plugin',
    'inventreecurrencyexchange',
    'Currency Update Plugin',
    'The plugin that fetches exchange rates; empty for none. Only enabled plugins can be selected.',
  ),
  INVENTREE_DOWNLOAD_FROM_URL: flag(
    false,
    'Download from URL',
    'Pictures can be added by their web address, from which the service downloads them: on the public internet, and on hosts that the configuration allows (`FETCH_ALLOWED_HOSTS`).',
  ),
  INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE: integer(
    1,
    'Download Size Limit',
    'The maximum size of a downloaded image, in MB; MAX_FILE_BYTES is the upper limit.',
    { min: 1, max: 25, units: 'MB' },
  ),
  INVENTREE_UPLOAD_MAX_SIZE: integer(
    10,
    'Upload Size Limit',
    'The maximum size of the file of an attachment, in MB; MAX_FILE_BYTES is the upper limit.',
    { min: 1, max: 1024, units: 'MB' },
  ),
  INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT: text(
    '',
    'User-agent used to download from URL',
    'The `User-Agent` for downloading images; empty for the default.',
  ),
  INVENTREE_STRICT_URLS: flag(
    true,
    'Strict URL Validation',
    'A link needs a scheme, such as `https://`. Off: a link without a scheme is accepted.',
  ),
  INVENTREE_REQUIRE_CONFIRM: flag(true, 'Require confirm', 'Clients ask for confirmation before certain actions.', {
    usedBy: 'clients',
  }),
  INVENTREE_TREE_DEPTH: integer(1, 'Tree Depth', 'The number of initially expanded tree levels in clients; 0 for none.', {
    min: 0,
    usedBy: 'clients',
  }),
  INVENTREE_UPDATE_CHECK_INTERVAL: integer(
    7,
    'Update Check Interval',
    'The number of days between checks for a new release. Stockroom does not check. The setting is only stored.',
    { min: 0, units: 'days', usedBy: 'clients' },
  ),
  INVENTREE_BACKUP_ENABLE: flag(
    false,
    'Automatic Backup',
    'Data and files are backed up automatically, to `BACKUP_DIR` on the machine of the service.',
  ),
  INVENTREE_BACKUP_DAYS: integer(1, 'Auto Backup Interval', 'The number of days between two backups.', {
    min: 1,
    units: 'days',
  }),
  INVENTREE_BACKUP_HOUR: optionalInteger(
    'Auto Backup Hour',
    'The hour of the day at which a backup is made, from 0 to 23 in the time zone of the service (`TZ`), such as 2 for the night; empty for as soon as the interval has passed.',
    { min: 0, max: 23 },
  ),
  INVENTREE_DELETE_TASKS_DAYS: integer(
    30,
    'Task Deletion Interval',
    'The number of days before the record of a failed background task is deleted; records of completed tasks are deleted after a day.',
    { min: 7, units: 'days' },
  ),
  INVENTREE_DELETE_ERRORS_DAYS: integer(
    30,
    'Error Log Deletion Interval',
    'The number of days before an error report is deleted.',
    {
      min: 7,
      units: 'days',
    },
  ),
  INVENTREE_DELETE_NOTIFICATIONS_DAYS: integer(
    30,
    'Notification Deletion Interval',
    'The number of days before a notification is deleted.',
    { min: 7, units: 'days' },
  ),
  INVENTREE_DELETE_EMAIL_DAYS: integer(
    30,
    'Email Deletion Interval',
    'The number of days before an email is deleted from the log of emails.',
    { min: 7, units: 'days' },
  ),
  INVENTREE_PROTECT_EMAIL_LOG: flag(false, 'Protect Email Log', 'No email is deleted from the log of emails, whatever its age.'),
  BARCODE_ENABLE: flag(true, 'Barcode Support', 'Clients offer barcode scanning.', { usedBy: 'console' }),
  BARCODE_INPUT_DELAY: integer(
    50,
    'Barcode Input Delay',
    'The number of milliseconds that clients wait for more input of a scanner.',
    { min: 1, units: 'ms', usedBy: 'console' },
  ),
  BARCODE_WEBCAM_SUPPORT: flag(true, 'Barcode Webcam Support', 'Clients offer scanning with a camera.', { usedBy: 'console' }),
  BARCODE_SHOW_TEXT: flag(
    false,
    'Barcode Show Data',
    'The web client of InvenTree shows the text of a barcode below its picture.',
    {
      usedBy: 'clients',
    },
  ),
  BARCODE_GENERATION_PLUGIN: choice(
    'inventreebarcode',
    [{ value: 'inventreebarcode', display_name: 'InvenTree Barcodes' }],
    'Barcode Generation Plugin',
    'In Stockroom, the service generates the barcodes of objects: no plugin can. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  BARCODE_STORE_RESULTS: flag(
    true,
    'Store Barcode Results',
    'Scans are stored in the history of scans. Off: they are not, and cannot be undone there.',
  ),
  BARCODE_RESULTS_MAX_NUM: integer(
    100,
    'Barcode Scans Maximum Count',
    'The number of scans in the history. Stockroom limits their age instead (`BARCODE_RESULTS_DAYS`). The setting is only stored.',
    { min: 1, usedBy: 'clients' },
  ),
  BARCODE_RESULTS_DAYS: integer(
    90,
    'Barcode Results Interval',
    'The number of days before a scan is deleted from the history of scans; until then it can be undone.',
    { min: 1, units: 'days' },
  ),
  MACHINE_PING_ENABLED: flag(true, 'Enable Machine Ping', 'The status of machines, such as printers, is checked every minute.'),
  WEEK_STARTS_ON: choice(
    '1',
    [
      { value: '0', display_name: 'Sunday' },
      { value: '1', display_name: 'Monday' },
      { value: '2', display_name: 'Tuesday' },
      { value: '3', display_name: 'Wednesday' },
      { value: '4', display_name: 'Thursday' },
      { value: '5', display_name: 'Friday' },
      { value: '6', display_name: 'Saturday' },
    ],
    'Week Starts On',
    'The first day of the week in calendars of clients. The console has no calendars of its own.',
    { usedBy: 'clients' },
  ),
  CALENDAR_HORIZON_MONTHS: integer(
    12,
    'Calendar Horizon',
    'The number of months that calendars cover. Calendars of Stockroom contain all open orders. The setting is only stored.',
    { min: 1, units: 'months', usedBy: 'clients' },
  ),
}
