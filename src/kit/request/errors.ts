import { QUANTITY_DIGITS } from '../values/decimal.ts'

/** Texts about one value; or, for a nested object or a list of objects, the errors of its parts. */
export type ErrorEntry = string | string[] | Errors | Errors[]
/** What is wrong with an object: field name to texts. An empty object means nothing is. */
export type Errors = { [field: string]: ErrorEntry }

/** What is wrong with one value; thrown by an input kind, caught by the object around it. */
export class FieldError extends Error {
  readonly entry: ErrorEntry

  constructor(entry: ErrorEntry) {
    super(typeof entry === 'string' ? entry : 'invalid value')
    this.entry = typeof entry === 'string' ? [entry] : entry
  }
}

/** What a client sent, as far as it is short. What an object says of itself is not asked: it may hold a `toString` that is no function. */
export const shown = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 100)

/** The texts that every kind of value shares, so that one mistake reads the same everywhere. */
export const texts = {
  required: 'This field is required.',
  null: 'This field may not be null.',
  blank: 'This field may not be blank.',
  string: 'Not a valid string.',
  boolean: 'Must be a valid boolean.',
  integer: 'A valid integer is required.',
  number: 'A valid number is required.',
  date: 'A date is written YYYY-MM-DD.',
  datetime: 'A moment is written in ISO 8601, such as 2026-01-31T09:30:00Z.',
  url: 'Enter a valid URL.',
  email: 'Enter a valid email address.',
  list: 'A list of items is expected.',
  object: 'An object is expected.',
  html: 'Remove HTML tags from this value.',
  maxLength: (length: number) => `Ensure this field has no more than ${length} characters.`,
  minValue: (value: number) => `Ensure this value is greater than or equal to ${value}.`,
  maxValue: (value: number) => `Ensure this value is less than or equal to ${value}.`,
  tooLarge: `Ensure that there are no more than ${QUANTITY_DIGITS} digits before the decimal point, also in what follows from it.`,
  choice: (value: unknown) => `"${shown(value)}" is not a valid choice.`,
  file: 'The submitted data was not a file: send it as multipart/form-data, or as a data: URI.',
  emptyFile: 'The submitted file is empty.',
  dataUri: 'This data: URI cannot be read.',
  noFile: 'There is no such stored file.',
  extension: (extensions: readonly string[]) =>
    `The name of the file has to end in ${extensions.map((one) => `.${one}`).join(', ')}.`,
  reference: (pk: unknown) => `Invalid pk "${String(pk).slice(0, 100)}" - object does not exist.`,
  referenceType: (value: unknown) =>
    `Incorrect type. Expected pk value, received ${value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value}.`,
  filterChoice: 'Select a valid choice. That choice is not one of the available choices.',
  filterNumber: 'Enter a number.',
  filterDate: 'Enter a valid date.',
  filterBoolean: 'Enter true or false.',
  filterRegex: 'Enter a valid regular expression.',
  filterRegexTime: 'This regular expression takes too long to look for.',
}
