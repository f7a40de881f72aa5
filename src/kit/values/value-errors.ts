import { errorCatalogue } from './message.ts'

/** Errors of values of any kind, so that one mistake reads the same everywhere. */
export const valueErrors = errorCatalogue('Values', {
  required: 'This field is required.',
  null_not_allowed: 'This field may not be null.',
  blank_not_allowed: 'This field may not be blank.',
  text_expected: 'Not a valid string.',
  boolean_expected: 'Must be a valid boolean.',
  integer_expected: 'A valid integer is required.',
  number_expected: 'A valid number is required.',
  decimal_comma: 'Write numbers with a decimal point and without thousands separators: 1234.5.',
  max_digits: 'Ensure that there are no more than {max_digits:integer} digits in total.',
  max_decimal_places: 'Ensure that there are no more than {max_decimal_places:integer} decimal places.',
  max_whole_digits: 'Ensure that there are no more than {max_whole_digits:integer} digits before the decimal point.',
  result_too_large:
    'Ensure that there are no more than {max_whole_digits:integer} digits before the decimal point, including calculated values.',
  date_expected: 'A date must have the form YYYY-MM-DD.',
  datetime_expected: 'A date and time must have the form of ISO 8601, such as 2026-01-31T09:30:00Z.',
  invalid_url: 'Enter a valid URL.',
  invalid_email: 'Enter a valid email address.',
  list_expected: 'A list of items is expected.',
  max_items: 'Ensure this list has no more than {max_items:integer} items.',
  object_expected: 'An object is expected.',
  max_depth: 'Values can be nested at most {max_depth:integer} levels deep.',
  html_not_allowed: 'Remove HTML tags from this value.',
  max_length: 'Ensure this field has no more than {max_length:integer} characters.',
  min_value: 'Ensure this value is greater than or equal to {min_value:decimal}.',
  max_value: 'Ensure this value is less than or equal to {max_value:decimal}.',
  invalid_choice: '"{value}" is not a valid choice.',
  unknown_reference: 'Invalid pk "{pk:key}" - object does not exist.',
  reference_expected: 'Incorrect type. Expected pk value, received {received}.',
  nul_not_allowed: 'A NUL character is not allowed.',
})

/** Errors of files in a body. */
export const fileErrors = errorCatalogue('Files', {
  file_expected: 'The submitted data was not a file: send it as multipart/form-data, or as a data: URI.',
  file_empty: 'The submitted file is empty.',
  invalid_data_uri: 'This data: URI is invalid.',
  unknown_file: 'The stored file does not exist.',
  invalid_file_extension: 'The file name must end in {extensions:texts}.',
  max_file_bytes: 'The file is larger than {max_bytes:integer} bytes.',
  upload_too_large: 'A file can have at most {max_bytes:integer} bytes (MAX_FILE_BYTES).',
})

/** Errors of query parameters. */
export const queryErrors = errorCatalogue('Query parameters', {
  unavailable_choice: 'Select a valid choice. That choice is not one of the available choices.',
  several_objects: 'Several objects match.',
  filter_number_expected: 'Enter a number.',
  filter_date_expected: 'Enter a valid date.',
  filter_boolean_expected: 'Enter true or false.',
  invalid_regular_expression: 'Enter a valid regular expression.',
  regular_expression_too_slow: 'This regular expression takes too long.',
  regular_expression_too_long: 'A regular expression can have at most {max_length:integer} characters.',
  regular_expression_syntax_change: 'A regular expression cannot change its own syntax (***, (?b), (?e), (?q), (?x)).',
  regular_expression_back_reference: 'A regular expression cannot contain back references (\\1).',
  regular_expression_nested_look: 'A regular expression cannot have a lookahead or lookbehind inside another.',
  regular_expression_repetitions: 'The repetitions of a regular expression can expand to at most {max_size:integer} characters.',
  cursor_with_offset: 'A cursor cannot be combined with an offset.',
  cursor_with_ordering: 'Pages by cursor are always sorted by primary key.',
  invalid_cursor: 'This is not a valid cursor; use the one in `next`.',
  too_many_search_words: 'Search for no more than {max_words:integer} words.',
  unknown_export_format: 'Supported export formats: {formats:texts}.',
  too_many_rows_to_export: '{count:integer} rows match, and a file can have at most {max_rows:integer}: filter them.',
})

/** Reasons to reject a picture, or not to fetch it from another site. */
export const pictureErrors = errorCatalogue('Pictures', {
  unsupported_picture: 'Only images in PNG, JPEG, GIF or WebP are supported.',
  max_pixels: 'An image can have at most {max_pixels:integer} pixels.',
  unreadable_picture: 'This image cannot be read.',
  fetching_disabled: 'Downloading images from other addresses is disabled (INVENTREE_DOWNLOAD_FROM_URL).',
  not_fetched: 'It could not be fetched: {reasons:errors}.',
})

/** Reasons for a failed fetch: each completes a sentence. */
export const fetchErrors = errorCatalogue('Fetching', {
  fetch_scheme_not_allowed: 'only http and https are supported',
  fetch_with_password: 'URLs with a password are not supported',
  fetch_host_not_public: 'its host is not on the public internet (FETCH_ALLOWED_HOSTS)',
  fetch_unknown_host: 'the host {host} does not exist',
  fetch_bad_status: 'it returned status {status:integer}',
  fetch_too_many_redirects: 'it redirects too many times',
  fetch_redirected: 'it redirects to another URL',
  fetch_timeout: 'it took too long',
  fetch_invalid_redirect: 'it redirects to an invalid URL',
  fetch_no_connection: 'the connection failed',
  fetch_too_large: 'it is larger than {max_bytes:integer} bytes',
})
