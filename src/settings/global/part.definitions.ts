import { validatePartNameFormat, validateRegularExpression } from '../checks.ts'
import { flag, text } from '../setting.ts'

/** Parts: their IPNs, the fields of a copy, the defaults of a new part. */
export const partSettings = {
  PART_ENABLE_REVISION: flag(true, 'Part Revisions', 'Clients show and edit the revision of a part.', { usedBy: 'console' }),
  PART_REVISION_ASSEMBLY_ONLY: flag(false, 'Assembly Revision Only', 'Only assemblies can have revisions.'),
  PART_ENABLE_LOCKING: flag(
    true,
    'Part Locking',
    'Locked parts reject deletion and changes of their BOM and parameters. Off: they are treated like other parts.',
  ),
  PART_ALLOW_DELETE_FROM_ASSEMBLY: flag(
    true,
    'Allow Deletion from Assembly',
    'Parts in the BOM of an assembly can be deleted, which deletes these lines.',
  ),
  PART_IPN_REGEX: text(
    '',
    'IPN Regex',
    'The regular expression that a new internal part number (IPN) must match; empty for any number. Existing numbers remain.',
    { check: validateRegularExpression },
  ),
  PART_ALLOW_DUPLICATE_IPN: flag(
    true,
    'Allow Duplicate IPN',
    'Several parts can have the same internal part number (IPN). Off: a number that another part has, ignoring case, is rejected.',
  ),
  PART_ALLOW_EDIT_IPN: flag(
    true,
    'Allow Editing IPN',
    'Clients allow changing the internal part number (IPN) of an existing part.',
    { usedBy: 'clients' },
  ),
  PART_COPY_BOM: flag(true, 'Copy Part BOM Data', 'Clients copy the BOM by default when they copy a part.', {
    usedBy: 'clients',
  }),
  PART_COPY_PARAMETERS: flag(true, 'Copy Part Parameter Data', 'Clients copy the parameters by default when they copy a part.', {
    usedBy: 'clients',
  }),
  PART_COPY_TESTS: flag(true, 'Copy Part Test Data', 'Clients copy the test templates by default when they copy a part.', {
    usedBy: 'clients',
  }),
  PART_CATEGORY_PARAMETERS: flag(
    true,
    'Copy Category Parameter Templates',
    'Clients copy the parameter templates of the category to a new part by default.',
    { usedBy: 'clients' },
  ),
  PART_BOM_ALLOW_ZERO_QUANTITY: flag(
    false,
    'Allow Zero Quantity in BOM',
    'A BOM line can have the quantity 0, for a component that is listed but not used.',
  ),
  PART_TEMPLATE: flag(false, 'Template', 'A new part is a template for variants by default.'),
  PART_ASSEMBLY: flag(false, 'Assembly', 'A new part is an assembly by default.'),
  PART_COMPONENT: flag(true, 'Component', 'A new part can be a component of other parts by default.'),
  PART_PURCHASEABLE: flag(true, 'Purchaseable', 'A new part can be purchased from suppliers by default.'),
  PART_SALABLE: flag(false, 'Salable', 'A new part can be sold to customers by default.'),
  PART_TRACKABLE: flag(false, 'Trackable', 'A new part is trackable by serial numbers by default.'),
  PART_VIRTUAL: flag(false, 'Virtual', 'A new part is virtual by default, such as a license.'),
  PART_SHOW_IMPORT: flag(false, 'Show Import in Views', 'Clients offer the import of parts.', { usedBy: 'clients' }),
  PART_SHOW_RELATED: flag(true, 'Show related parts', 'Clients show related parts of a part.', { usedBy: 'clients' }),
  PART_CREATE_INITIAL: flag(false, 'Initial Stock Data', 'Clients ask for the initial stock of a new part.', {
    usedBy: 'clients',
  }),
  PART_CREATE_SUPPLIER: flag(true, 'Initial Supplier Data', 'Clients ask for the supplier of a new part.', { usedBy: 'clients' }),
  PART_NAME_FORMAT: text(
    "{{ part.IPN if part.IPN }}{{ ' | ' if part.IPN }}{{ part.name }}{{ ' | ' if part.revision }}{{ part.revision if part.revision }}",
    'Part Name Display Format',
    'The pattern for the full name of a part: text, and fields in double braces, such as `{{ part.name }}`. Empty for the default. A change renames all parts.',
    { check: validatePartNameFormat },
  ),
  PART_CATEGORY_DEFAULT_ICON: text('', 'Part Category Default Icon', 'The icon for categories without an icon; empty for none.', {
    usedBy: 'clients',
  }),
  PART_PARAMETER_ENFORCE_UNITS: flag(
    true,
    'Enforce Parameter Units',
    'The value of a parameter must have a unit that converts to that of its template.',
  ),
}
