import * as input from '../../kit/definition/input.ts'
import { SEPARATORS, type Separator } from '../../spreadsheets/delimited-text.ts'
import { ENCODINGS, type Encoding } from '../../spreadsheets/text-encoding.ts'

const SEPARATOR_NAMES: Readonly<Record<Separator, string>> = { '\t': 'Tab', ';': 'Semicolon', '|': 'Vertical bar', ',': 'Comma' }

/** Fields of a body that say how a file is read; what is missing is detected. */
export const readingInputs = {
  sheet: input.optional(
    input.text({ max: 100, help: 'The sheet of the workbook to read; by default the first one with known headings.' }),
  ),
  heading_row: input.optional(
    input.integer({
      min: 0,
      label: 'Heading Row',
      help: 'The number of the heading row, from 1; 0 for none. By default, the row with the most known headings.',
    }),
  ),
  separator: input.optional(
    input.choice<Separator>(() => SEPARATORS.map((sign) => ({ value: sign, label: SEPARATOR_NAMES[sign] })), {
      help: 'The column separator of a text file.',
    }),
  ),
  encoding: input.optional(
    input.choice<Encoding>(() => ENCODINGS.map((name) => ({ value: name, label: name })), {
      help: 'The encoding of a text file.',
    }),
  ),
}
