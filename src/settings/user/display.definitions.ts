import { choice, choiceFrom, flag, integer, optionalInteger, text } from '../setting.ts'

const labelTemplateSetting = (name: string, objects: string) =>
  optionalInteger(name, `The key of the default label template for ${objects}; empty for none.`)

/** Printing, forms, tables and notifications. */
export const displaySettings = {
  LABEL_INLINE: flag(true, 'Inline label display', 'Interfaces open labels in the browser instead of saving them as files.', {
    usedBy: 'clients',
  }),
  LABEL_DEFAULT_PRINTER: choiceFrom(
    'label_printer',
    '',
    'Default label printer',
    'The printer that is selected first when labels are printed; empty for the one that was used last.',
    { usedBy: 'console' },
  ),
  REPORT_INLINE: flag(false, 'Inline report display', 'Reports open in the browser instead of being saved as files.'),
  PART_SHOW_QUANTITY_IN_FORMS: flag(true, 'Show Quantity in Forms', 'Forms show the quantity in stock of a part.', {
    usedBy: 'clients',
  }),
  FORMS_CLOSE_USING_ESCAPE: flag(false, 'Escape Key Closes Forms', 'The Escape key closes forms.', { usedBy: 'clients' }),
  STICKY_HEADER: flag(false, 'Fixed Navbar', 'The menu bar stays at the top of the screen.', { usedBy: 'clients' }),
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
    'Date Format',
    'The date format of clients.',
    { usedBy: 'clients' },
  ),
  DISPLAY_SCHEDULE_TAB: flag(true, 'Part Scheduling', 'The page of a part shows its expected stock changes.', {
    usedBy: 'clients',
  }),
  DISPLAY_STOCKTAKE_TAB: flag(true, 'Part Stocktake', 'The page of a part shows its stocktakes.', { usedBy: 'clients' }),
  TABLE_STRING_MAX_LENGTH: integer(
    100,
    'Table String Length',
    'The number of characters after which tables truncate a text; 0 for unlimited.',
    {
      min: 0,
      usedBy: 'clients',
    },
  ),
  DEFAULT_PART_LABEL_TEMPLATE: labelTemplateSetting('Default part label template', 'parts'),
  DEFAULT_ITEM_LABEL_TEMPLATE: labelTemplateSetting('Default stock item template', 'stock items'),
  DEFAULT_LOCATION_LABEL_TEMPLATE: labelTemplateSetting('Default stock location label template', 'stock locations'),
  DEFAULT_LINE_LABEL_TEMPLATE: labelTemplateSetting('Default build line label template', 'build lines'),
  NOTIFICATION_ERROR_REPORT: flag(
    true,
    'Receive error reports',
    'Staff accounts are notified when the service fails, at most once a day.',
  ),
  LAST_USED_PRINTING_MACHINES: text(
    '',
    'Last used printing machines',
    'The recently used printing machines, as stored by clients; empty for none.',
  ),
}
