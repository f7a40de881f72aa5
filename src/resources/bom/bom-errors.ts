import { errorCatalogue } from '../../kit/values/message.ts'

/** Errors of BOMs, their lines, and imported tables. */
export const bomErrors = errorCatalogue('BOMs', {
  component_of_itself: 'A part cannot be a component of itself.',
  component_loop:
    'The component must not belong to the same template and variants as the assembly, nor contain a part that does, even as a substitute.',
  substitute_is_component: 'This part is already an allowed substitute for the component.',
  substitute_is_assembly: 'This part, or a variant of it, is an allowed substitute for the component.',
  substitute_of_itself: 'It is already the component of the line.',
  substitute_loop:
    'It is the assembly of the line or a variant of it, or contains one of these, so the assembly would contain itself.',
  invalid_overage: 'It must be a non-negative number, or a percentage such as 5 %.',
  overage_too_large: 'It must not exceed 100 %.',
  amounts_differ: 'It is {amount:decimal}, but the quantity is {quantity:decimal}: give one of them.',
  component_quantity_must_be_positive: 'It must be greater than zero.',
  whole_component_quantity_required: 'The quantity of a trackable component must be a whole number.',
  component_quantity_required: 'The quantity is missing.',
  component_not_found: 'No matching part.',
  component_ambiguous: 'More than one matching part.',
  component_not_allowed: 'The part cannot be a component.',
  component_contradiction: '“{text}” is {part}, but “{other}” is {other_part}.',
  component_named_otherwise: '“{text}” is {part}, which does not match “{other}”.',
  component_rows_differ: 'Rows {rows:integers} have the same component, but a different {field}.',
  number_read_two_ways: '“{number}” is ambiguous: the separator may mark thousands or decimals. Write it unambiguously.',
  cell_became_date: 'A spreadsheet converted this value to a date, “{text}”. Enter the original value as text in the file.',
  bom_copy_loop: 'With a line of this BOM, the part would contain itself.',
  bom_copy_fraction: 'A line of this BOM has a fractional quantity of a trackable component.',
  bom_lines_required: 'At least one line is required.',
  column_taken_twice: 'Two columns are mapped to {field}.',
  column_missing: 'No column is mapped to {field}, which is required.',
  component_column_missing: 'No column identifies the component.',
  table_without_usable_row: 'The BOM is unchanged: no row of the file can become a line.',
})
