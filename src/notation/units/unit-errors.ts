import { errorCatalogue } from '../../kit/values/message.ts'

/** Errors of units, and of quantities with a unit. */
export const unitErrors = errorCatalogue('Units', {
  unit_value_required: 'No value provided',
  invalid_unit_quantity: 'Invalid quantity provided: {value}',
  unit_value_too_long: 'At most {max_length:integer} characters can be read as a quantity',
  unknown_unit: 'Unknown unit: {unit}',
  invalid_unit: 'Invalid unit provided: {unit}',
  not_a_physical_unit: '{unit} is not a physical unit.',
  unit_not_convertible: 'Could not convert {value} to {unit}',
  units_do_not_fit: 'The units are not compatible',
  unit_divided_by_zero: 'Division by zero',
  invalid_unit_power: 'A unit cannot be raised to the power of {power}',
  unit_value_out_of_range: 'The value is too large or too small',
  pack_unit_not_convertible: 'Pack units must be compatible with the base part units',
  pack_must_be_positive: 'Pack units must be greater than zero',
  invalid_unit_name: 'Unit name must be one word of letters, digits and underscores',
  unit_name_taken: 'A unit with this name already exists: {name}',
  unit_exists: 'A unit with this name already exists',
  invalid_unit_symbol: 'Unit symbol must be one word',
  unit_symbol_taken: 'Unit symbol must be unique',
  invalid_unit_definition: 'Not a valid definition in known units: {definition}',
  unit_defines_others: 'Other units are defined by this one: {units:texts}',
  ambiguous_number: '{number} is ambiguous: write a decimal point, or remove the comma',
  unit_measures_parameters: 'Parameters of parts use this unit: {parameters:texts}',
  unit_measures_packs: 'Packs of supplier parts use this unit: {supplier_parts:texts}',
})
