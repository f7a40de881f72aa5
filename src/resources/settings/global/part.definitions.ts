import { partNameFormat, regularExpression } from '../checks.ts'
import { flag, text } from '../setting.ts'

/** Parts: their numbers, what a copy takes along, what a new part starts with. */
export const partSettings = {
  PART_ENABLE_REVISION: flag(true, 'Revisions', 'Parts have a revision.'),
  PART_IPN_REGEX: text('', 'Pattern of part numbers', 'Regular expression that internal part numbers must match.', {
    check: regularExpression,
  }),
  PART_ALLOW_DUPLICATE_IPN: flag(true, 'Shared part numbers', 'Several parts may have the same internal part number.'),
  PART_ALLOW_EDIT_IPN: flag(true, 'Changeable part numbers', 'The internal part number may change after a part was created.'),
  PART_COPY_BOM: flag(true, 'Copy bill of materials', 'A copied part takes its bill of materials along.'),
  PART_COPY_PARAMETERS: flag(true, 'Copy parameters', 'A copied part takes its parameters along.'),
  PART_COPY_TESTS: flag(true, 'Copy tests', 'A copied part takes its test templates along.'),
  PART_CATEGORY_PARAMETERS: flag(true, 'Parameters of the category', 'A new part gets the parameter templates of its category.'),
  PART_TEMPLATE: flag(false, 'Template', 'New parts are templates.'),
  PART_ASSEMBLY: flag(false, 'Assembly', 'New parts are built from other parts.'),
  PART_COMPONENT: flag(true, 'Component', 'New parts can be used in other parts.'),
  PART_PURCHASEABLE: flag(true, 'Purchaseable', 'New parts can be bought.'),
  PART_SALABLE: flag(false, 'Salable', 'New parts can be sold.'),
  PART_TRACKABLE: flag(false, 'Trackable', 'New parts are tracked by serial number.'),
  PART_VIRTUAL: flag(false, 'Virtual', 'New parts have no physical form.'),
  PART_SHOW_IMPORT: flag(false, 'Import assistant', 'Show the import assistant among the parts.'),
  PART_SHOW_RELATED: flag(true, 'Related parts', 'Show the parts that are related to a part.'),
  PART_CREATE_INITIAL: flag(false, 'Initial stock', 'Offer to add stock when a part is created.'),
  PART_CREATE_SUPPLIER: flag(true, 'Initial supplier', 'Offer to add a supplier when a part is created.'),
  PART_NAME_FORMAT: text(
    "{{ part.IPN if part.IPN }}{{ ' | ' if part.IPN }}{{ part.name }}{{ ' | ' if part.revision }}{{ part.revision if part.revision }}",
    'Name format',
    'Template of the full name of a part.',
    { check: partNameFormat },
  ),
  PART_CATEGORY_DEFAULT_ICON: text('', 'Category icon', 'Icon of categories that have none of their own.'),
  PART_PARAMETER_ENFORCE_UNITS: flag(true, 'Check units', 'A parameter must be given in a unit that fits its template.'),
}
