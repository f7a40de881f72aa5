import { choice, flag, integer } from '../setting.ts'

/** Labels and reports. */
export const printingSettings = {
  LABEL_ENABLE: flag(true, 'Enable label printing', 'Interfaces offer to print labels.'),
  LABEL_DPI: integer(300, 'Label Image DPI', 'Dots per inch of a label that is shown as a picture.', {
    min: 100,
  }),
  REPORT_ENABLE: flag(false, 'Enable Reports', 'Interfaces offer to print reports.'),
  REPORT_DEBUG_MODE: flag(false, 'Debug Mode', 'A report comes out as HTML, for whoever writes its template.'),
  REPORT_LOG_ERRORS: flag(false, 'Log Report Errors', 'A report that fails is told in the log, with the reason.'),
  REPORT_DEFAULT_PAGE_SIZE: choice(
    'A4',
    [
      { value: 'A4', display_name: 'A4' },
      { value: 'A3', display_name: 'A3' },
      { value: 'Legal', display_name: 'Legal' },
      { value: 'Letter', display_name: 'Letter' },
    ],
    'Page Size',
    'The page size of a new report template, unless told otherwise.',
  ),
  REPORT_ENABLE_TEST_REPORT: flag(true, 'Enable Test Reports', 'Interfaces offer to print reports on the tests of a stock item.'),
  REPORT_ATTACH_TEST_REPORT: flag(
    false,
    'Attach Test Reports',
    'A printed report on the tests of a stock item is attached to the item, if whoever prints may add attachments.',
  ),
}
