import { choice, flag, integer } from '../setting.ts'

/** Labels and reports. */
export const printingSettings = {
  LABEL_ENABLE: flag(true, 'Enable label printing', 'Clients offer label printing.', { usedBy: 'clients' }),
  LABEL_DPI: integer(300, 'Label Image DPI', 'The resolution of label images, in dots per inch.', {
    min: 100,
  }),
  REPORT_ENABLE: flag(false, 'Enable Reports', 'Clients offer report printing.', { usedBy: 'clients' }),
  REPORT_DEBUG_MODE: flag(false, 'Debug Mode', 'Reports are returned as HTML, for developing templates.'),
  REPORT_FETCH_URLS: flag(
    false,
    'Report URL Fetching',
    'Templates fetch files from URLs. In Stockroom, only hosts in `FETCH_ALLOWED_HOSTS` are reached. The setting is only stored.',
    { usedBy: 'clients' },
  ),
  REPORT_LOG_ERRORS: flag(false, 'Log Report Errors', 'Failed reports are logged with the reason.'),
  REPORT_DEFAULT_PAGE_SIZE: choice(
    'A4',
    [
      { value: 'A4', display_name: 'A4' },
      { value: 'A3', display_name: 'A3' },
      { value: 'Legal', display_name: 'Legal' },
      { value: 'Letter', display_name: 'Letter' },
    ],
    'Page Size',
    'The default page size of new report templates.',
  ),
  REPORT_ENABLE_TEST_REPORT: flag(true, 'Enable Test Reports', 'Clients offer test reports of stock items.', {
    usedBy: 'clients',
  }),
  REPORT_ATTACH_TEST_REPORT: flag(
    false,
    'Attach Test Reports',
    'A printed test report is attached to its stock item, if the user can add attachments.',
  ),
}
