import { partNameFormat, regularExpression } from '../checks.ts'
import { flag, text } from '../setting.ts'

/** Parts: their numbers, what a copy takes along, what a new part starts with. */
export const partSettings = {
  PART_ENABLE_REVISION: flag(true, 'Part Revisions', 'Interfaces show and write the revision of a part.'),
  PART_IPN_REGEX: text(
    '',
    'IPN Regex',
    'Regular expression that has to be found in a new internal part number (IPN); empty for any number. Numbers that parts have already stay.',
    { check: regularExpression },
  ),
  PART_ALLOW_DUPLICATE_IPN: flag(
    true,
    'Allow Duplicate IPN',
    'Several parts may have the same internal part number (IPN). Off: a number that another part has, in whatever case, is refused.',
  ),
  PART_ALLOW_EDIT_IPN: flag(
    true,
    'Allow Editing IPN',
    'Interfaces let the internal part number (IPN) be changed once a part is made.',
  ),
  PART_COPY_BOM: flag(true, 'Copy Part BOM Data', 'Interfaces propose to copy the bill of materials with a part.'),
  PART_COPY_PARAMETERS: flag(true, 'Copy Part Parameter Data', 'Interfaces propose to copy the parameters with a part.'),
  PART_COPY_TESTS: flag(true, 'Copy Part Test Data', 'Interfaces propose to copy the test templates with a part.'),
  PART_CATEGORY_PARAMETERS: flag(
    true,
    'Copy Category Parameter Templates',
    'Interfaces propose to give a new part the parameter templates of its category.',
  ),
  PART_TEMPLATE: flag(false, 'Template', 'A new part is a template for variants, unless told otherwise.'),
  PART_ASSEMBLY: flag(false, 'Assembly', 'A new part can be built from other parts, unless told otherwise.'),
  PART_COMPONENT: flag(true, 'Component', 'A new part can be used to build other parts, unless told otherwise.'),
  PART_PURCHASEABLE: flag(true, 'Purchaseable', 'A new part can be bought from suppliers, unless told otherwise.'),
  PART_SALABLE: flag(false, 'Salable', 'A new part can be sold to customers, unless told otherwise.'),
  PART_TRACKABLE: flag(
    false,
    'Trackable',
    'The items of a new part are tracked one by one, by serial numbers, unless told otherwise.',
  ),
  PART_VIRTUAL: flag(false, 'Virtual', 'A new part is no physical thing, such as a licence, unless told otherwise.'),
  PART_SHOW_IMPORT: flag(false, 'Show Import in Views', 'Interfaces offer the import of parts.'),
  PART_SHOW_RELATED: flag(true, 'Show related parts', 'Interfaces show the parts that are related to a part.'),
  PART_CREATE_INITIAL: flag(false, 'Initial Stock Data', 'Interfaces ask for the stock that there is of a new part.'),
  PART_CREATE_SUPPLIER: flag(true, 'Initial Supplier Data', 'Interfaces ask for the supplier of a new part.'),
  PART_NAME_FORMAT: text(
    "{{ part.IPN if part.IPN }}{{ ' | ' if part.IPN }}{{ part.name }}{{ ' | ' if part.revision }}{{ part.revision if part.revision }}",
    'Part Name Display Format',
    'What the full name of a part is made of: texts, and fields in double braces, such as `{{ part.name }}`. Empty for the usual form. A change renames every part.',
    { check: partNameFormat },
  ),
  PART_CATEGORY_DEFAULT_ICON: text(
    '',
    'Part Category Default Icon',
    'The icon that interfaces show for a category that has none of its own; empty for none.',
  ),
  PART_PARAMETER_ENFORCE_UNITS: flag(
    true,
    'Enforce Parameter Units',
    'The value of a parameter has to be in a unit that fits its template.',
  ),
}
