import { choice, flag, integer, text } from '../setting.ts'

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
  DOCUMENT_ADDRESS: text(
    '',
    'Company address',
    'The address of the company on documents, below its name: one line for each line of the address.',
    { isMultiline: true },
  ),
  DOCUMENT_CONTACT: text('', 'Company contact', 'The telephone, email and website of the company on documents: one to a line.', {
    isMultiline: true,
  }),
  DOCUMENT_TAX_ID: text('', 'Company tax ID', 'The tax number of the company on documents, such as its VAT ID; empty for none.'),
  DOCUMENT_FOOTER: text(
    '',
    'Document footer',
    'The text at the foot of each page of documents, such as the bank account and the commercial register: one to a line.',
    { isMultiline: true },
  ),
  DOCUMENT_LANGUAGE: choice(
    'en',
    [
      { value: 'en', display_name: 'English' },
      { value: 'de', display_name: 'Deutsch' },
    ],
    'Document language',
    'The language of the documents that come with the service, with the forms of its dates, numbers and amounts.',
  ),
}
