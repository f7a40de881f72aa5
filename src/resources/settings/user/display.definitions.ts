import { choice, choiceFrom, flag, integer, optionalInteger, text } from '../setting.ts'

const template = (of: string) =>
  optionalInteger(`Template of ${of}`, `Label template chosen at first for ${of}; follows the last print.`)

/** Printing, forms, tables and notifications. */
export const displaySettings = {
  LABEL_INLINE: flag(true, 'Labels in the browser', 'Open labels in the browser instead of saving them as files.'),
  LABEL_DEFAULT_PRINTER: choiceFrom('label_printer', '', 'Label printer', 'Printer chosen at first for labels.'),
  REPORT_INLINE: flag(false, 'Reports in the browser', 'Open reports in the browser instead of saving them as files.'),
  PART_SHOW_QUANTITY_IN_FORMS: flag(true, 'Stock in forms', 'Forms show how much of a part is in stock.'),
  FORMS_CLOSE_USING_ESCAPE: flag(false, 'Close with Escape', 'The Escape key closes forms.'),
  STICKY_HEADER: flag(false, 'Fixed menu bar', 'The menu bar stays at the top of the screen.'),
  DATE_DISPLAY_FORMAT: choice(
    'YYYY-MM-DD',
    [
      { value: 'YYYY-MM-DD', display_name: '2022-02-22' },
      { value: 'YYYY/MM/DD', display_name: '2022/02/22' },
      { value: 'DD-MM-YYYY', display_name: '22-02-2022' },
      { value: 'DD/MM/YYYY', display_name: '22/02/2022' },
      { value: 'MM-DD-YYYY', display_name: '02-22-2022' },
      { value: 'MM/DD/YYYY', display_name: '02/22/2022' },
      { value: 'MMM DD YYYY', display_name: 'Feb 22 2022' },
    ],
    'Date format',
    'How dates are shown.',
  ),
  DISPLAY_SCHEDULE_TAB: flag(true, 'Part scheduling', 'Show the coming and going of a part.'),
  DISPLAY_STOCKTAKE_TAB: flag(true, 'Part stocktake', 'Show the stocktakes of a part.'),
  TABLE_STRING_MAX_LENGTH: integer(100, 'Length of texts', 'Tables cut texts after this many characters.', { min: 0 }),
  DEFAULT_PART_LABEL_TEMPLATE: template('part labels'),
  DEFAULT_ITEM_LABEL_TEMPLATE: template('stock labels'),
  DEFAULT_LOCATION_LABEL_TEMPLATE: template('location labels'),
  DEFAULT_LINE_LABEL_TEMPLATE: template('build line labels'),
  NOTIFICATION_ERROR_REPORT: flag(true, 'Error notifications', 'Be told when the service has an error.'),
  LAST_USED_PRINTING_MACHINES: text('', 'Machines used last', 'Printing machines that were used last.'),
}
