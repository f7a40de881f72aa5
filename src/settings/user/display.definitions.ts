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
  BARCODE_IN_FORM_FIELDS: flag(
    false,
    'Barcode Scanner in Form Fields',
    'Forms of the web client of InvenTree offer a barcode scanner in their fields.',
    {
      usedBy: 'clients',
    },
  ),
  FORMS_CLOSE_USING_ESCAPE: flag(false, 'Escape Key Closes Forms', 'The Escape key closes forms.', { usedBy: 'clients' }),
  STICKY_HEADER: flag(false, 'Fixed Navbar', 'The menu bar stays at the top of the screen.', { usedBy: 'clients' }),
  STICKY_TABLE_HEADER: flag(false, 'Fixed Table Headers', 'The headings of tables of the web client of InvenTree stay visible.', {
    usedBy: 'clients',
  }),
  SHOW_SPOTLIGHT: flag(true, 'Show Spotlight', 'The menu bar of the web client of InvenTree offers its command palette.', {
    usedBy: 'clients',
  }),
  ICONS_IN_NAVBAR: flag(false, 'Navigation Icons', 'The menu bar of the web client of InvenTree has icons.', {
    usedBy: 'clients',
  }),
  ENABLE_LAST_BREADCRUMB: flag(
    false,
    'Show Last Breadcrumb',
    'Breadcrumbs of the web client of InvenTree end with the current page.',
    { usedBy: 'clients' },
  ),
  ENABLE_PREVIEW_PANEL: flag(
    false,
    'Preview Panel',
    'The web client of InvenTree opens objects of tables in a panel next to them.',
    { usedBy: 'clients' },
  ),
  SHOW_EXTRA_MODEL_INFO: flag(
    false,
    'Extra Model Information',
    'The web client of InvenTree shows further details of objects in its lists of choices.',
    { usedBy: 'clients' },
  ),
  SHOW_FULL_LOCATION_IN_TABLES: flag(
    false,
    'Show full stock location in tables',
    'Tables of the web client of InvenTree show the whole path of a location.',
    { usedBy: 'clients' },
  ),
  SHOW_FULL_CATEGORY_IN_TABLES: flag(
    false,
    'Show full part categories in tables',
    'Tables of the web client of InvenTree show the whole path of a category.',
    { usedBy: 'clients' },
  ),
  SHOW_BOM_SUBASSEMBLY_LEVELS: flag(
    true,
    'BOM Subassembly Levels',
    'BOM tables of the web client of InvenTree can show the lines of subassemblies.',
    { usedBy: 'clients' },
  ),
  DISPLAY_ITEMS_FINAL_LEVEL: flag(
    false,
    'Display Items at Final Level',
    'The web client of InvenTree lists the parts and stock of a category or location only when it has none below it.',
    { usedBy: 'clients' },
  ),
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
