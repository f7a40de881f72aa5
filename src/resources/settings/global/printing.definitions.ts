import { choice, flag, integer } from '../setting.ts'

/** Labels and reports. */
export const printingSettings = {
  LABEL_ENABLE: flag(true, 'Label printing', 'Offer label printing in the web interface.'),
  LABEL_DPI: integer(300, 'Label resolution', 'Dots per inch of labels that go to a printer as an image.', { min: 100 }),
  REPORT_ENABLE: flag(false, 'Reports', 'Reports can be made.'),
  REPORT_DEBUG_MODE: flag(false, 'Debug reports', 'Reports come out as HTML, for those who write templates.'),
  REPORT_LOG_ERRORS: flag(false, 'Log report errors', 'Reports that fail are written to the error log.'),
  REPORT_DEFAULT_PAGE_SIZE: choice(
    'A4',
    [
      { value: 'A4', display_name: 'A4' },
      { value: 'A3', display_name: 'A3' },
      { value: 'Legal', display_name: 'Legal' },
      { value: 'Letter', display_name: 'Letter' },
    ],
    'Page size',
    'Page size of new report templates.',
  ),
  REPORT_ENABLE_TEST_REPORT: flag(true, 'Test reports', 'Test reports can be made.'),
  REPORT_ATTACH_TEST_REPORT: flag(false, 'Attach test reports', 'A printed test report is attached to its stock item.'),
}
