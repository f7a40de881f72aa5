import { errorCatalogue } from '../../kit/values/message.ts'

/** What is wrong with bills of materials, their lines, and tables that are imported as such. */
export const bomErrors = errorCatalogue('Bills of materials', {
  component_of_itself: 'A part cannot be a component of itself.',
  component_loop:
    'The component must not be of the same template and variants as the assembly, nor contain a part that is, even as a substitute.',
  substitute_is_component: 'This part stands among those that may be used in place of the component.',
  substitute_is_assembly: 'This part, or a variant of it, stands among those that may be used in place of the component.',
  substitute_of_itself: 'It is the component of the line already.',
  substitute_loop: 'It is the assembly of the line or a variant of it, or contains one of these, which would contain itself.',
  invalid_overage: 'It must be a number that is not negative, or a percentage, as 5 %.',
  overage_too_large: 'It must not exceed 100 %.',
  component_quantity_must_be_positive: 'It must be greater than zero.',
  whole_component_quantity_required: 'Of a trackable component it must be a whole number.',
  component_quantity_required: 'The quantity is missing.',
  component_not_found: 'No part fits.',
  component_ambiguous: 'More than one part fits.',
  component_not_allowed: 'The part is not one that can be a component.',
  component_contradiction: '“{text}” is {part}, but “{other}” is {other_part}.',
  component_named_otherwise: '“{text}” is {part}, which is not called “{other}”.',
  component_rows_differ: 'Rows {rows:integers} are one component, but have a different {field}.',
  number_read_two_ways: '“{number}” may have thousands or decimals. Write it so that it is clear.',
  cell_became_date: 'A spreadsheet made a date of it, “{text}”. Write in the file what it was, as text.',
  bom_copy_loop: 'By a line of this bill of materials the part would contain itself.',
  bom_copy_fraction: 'A line of this bill of materials takes a fraction of a trackable component.',
  bom_lines_required: 'At least one line must be given.',
  column_taken_twice: 'Two columns are taken for {field}.',
  column_missing: 'No column is taken for {field}, which must be there.',
  component_column_missing: 'No column names the component.',
  table_without_usable_row: 'The bill of materials stays as it is: no row of the file can become a line.',
})
