import { errorCatalogue } from '../kit/values/message.ts'

/** Errors of settings, and of the reference patterns and batch code templates that settings hold. */
export const settingsErrors = errorCatalogue('Settings, reference patterns and batch codes', {
  control_characters_not_allowed: 'Remove control characters from this value.',
  setting_fixed: 'Fixed by the configuration of the service.',
  setting_pattern: '{reasons:errors}',
  site_url: 'Enter a valid URL, such as https://stock.example.org.',
  setting_uuid: 'Enter a UUID, such as 123e4567-e89b-12d3-a456-426614174000.',
  setting_json_object: 'Enter a JSON object.',
  empty_domain: 'An empty domain is not allowed.',
  invalid_domain: 'Not a domain: {domain}. Write @example.org.',
  name_format_braces: 'The braces of this template are not balanced.',
  name_format_field: "A part's name cannot include {field}.",
  name_format_without_field: '{piece} is not a field of a part.',
  name_format_piece: '{piece} is invalid: write part.name, or a text, if part.IPN else another.',
  order_reference_required: 'Reference field cannot be empty',
  order_reference_pattern: 'Reference must match required pattern: {pattern}',
  reference_pattern_too_long: 'Improperly formatted pattern: more than {max_length:integer} characters',
  reference_pattern_brace: "Improperly formatted pattern: single '{brace}'",
  reference_pattern_key_twice: "Improperly formatted pattern: '{key}' appears twice",
  reference_pattern_number_format: "Improperly formatted pattern: '{format}' is not a format for 'ref', such as 04d",
  reference_pattern_width:
    'Improperly formatted pattern: a reference has at most {max_length:integer} characters, not {width:integer}',
  reference_pattern_date_format: "Improperly formatted pattern: '{format}' is not a date format, such as %Y-%m-%d",
  reference_pattern_references_too_long:
    'Improperly formatted pattern: its references are longer than {max_length:integer} characters',
  unknown_reference_pattern_key: "Unknown format key specified: '{key}'",
  reference_pattern_without_number: "Missing required format key: 'ref'",
  batch_code_too_long: 'Batch codes of this template are longer than {max_length:integer} characters',
  unknown_template_variable: "Unknown template variable: '{variable}'",
  improper_template: 'Improperly formatted template: only variables such as {{ year }} can be used',
})
