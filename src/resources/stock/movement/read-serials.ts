import { invalid } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import { type Decimal, isWhole } from '../../../kit/values/decimal.ts'
import { valueErrors } from '../../../kit/values/value-errors.ts'
import { MAX_SERIAL_NUMBERS, SerialNumberError } from '../../../notation/serial/serial-numbers.ts'
import type { PendingWrite } from '../../../plugin-host/call-in-write.ts'
import { parseSerialsWithPlugins } from '../serial/next-serial.ts'
import { findSerialsInUse, lockSerials, readLatestSerial } from '../serial/serials-in-use.ts'
import { stockErrors } from '../stock-errors.ts'

type Context = Pick<Services, 'settings'> & PendingWrite

/** Maximum length of a string of serial numbers, in characters. */
export const MAX_SERIALS_TEXT_LENGTH = 500_000

/** Description of the serial number syntax, for the OpenAPI document. */
export const SERIAL_NUMBERS_HELP =
  'Separated by commas or spaces: numbers, and ranges such as 1-5, 7+ (and following), 7+2 (and two more), ~ (the next unused one).'

/**
 * Parses a string into serial numbers, exactly `quantity` of them in units of the part; `~` continues from the part's latest serial number.
 * 400 on `serial_numbers` with all errors of the string, on `quantity` when it is not a whole number.
 */
export async function readSerialNumbers(context: Context, part: number, input: string, quantity: Decimal): Promise<string[]> {
  if (!isWhole(quantity)) throw invalid({ quantity: [valueErrors.integer_expected] })
  let latest: string | null = null
  if (input.includes('~')) {
    // keeps the numbers after the latest one unused until the items are created
    await lockSerials(context, [part])
    latest = await readLatestSerial(context, part)
  }
  // a number above the limit is rejected in any case, so it need not be exact
  const expected = Math.min(Number(quantity), MAX_SERIAL_NUMBERS + 1)
  try {
    return await parseSerialsWithPlugins(context, part, input, expected, latest)
  } catch (error) {
    if (error instanceof SerialNumberError) throw invalid({ serial_numbers: error.messages })
    throw error
  }
}

/** Rejects serial numbers that are in use, listing all of them; the others stay reserved until the transaction ends. */
export async function requireUnusedSerials(context: Context, part: number, serials: readonly string[]): Promise<void> {
  const used = await findSerialsInUse(
    context,
    serials.map((serial) => ({ part, serial })),
  )
  if (used.length) throw invalid({ serial_numbers: [stockErrors.serial_numbers_in_use({ serials: used })] })
}
