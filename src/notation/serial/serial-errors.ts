import { errorCatalogue } from '../../kit/values/message.ts'

/** Errors in serial number input. */
export const serialErrors = errorCatalogue('Serial numbers', {
  whole_quantity_for_serials: 'Serial numbers need a whole quantity of at least 1',
  max_serial_numbers: 'At most {max_serials:integer} serial numbers can be given at once',
  no_serial_numbers: 'No serial numbers found',
  serial_number_too_long: 'Serial number is longer than {max_length:integer} characters: {serial}...',
  duplicate_serial_number: 'Duplicate serial: {serial}',
  serial_count_mismatch: 'Number of unique serial numbers ({count:integer}) must match quantity ({quantity:integer})',
  no_following_serial: 'No serial number follows {serial}: ~ cannot be used',
  invalid_serial_range: 'Invalid group range: {range}; use 1-10, A-001..A-010, A-001+ or A-001+9',
  serial_range_too_long: 'Group range {range} exceeds allowed quantity ({quantity:integer})',
  serial_sequence_too_long: 'Group sequence {range} exceeds allowed quantity ({quantity:integer})',
  invalid_serial_sequence: 'Invalid group sequence: {range}; use 1-10, A-001..A-010, A-001+ or A-001+9',
})
