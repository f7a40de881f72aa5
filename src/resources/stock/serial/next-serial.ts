import type { Services } from '../../../kit/services/services.ts'
import { pluginsWithHook, type Writing } from '../../../plugin-host/call-in-write.ts'
import { nextSerialOfPlugins } from '../../plugins/validation.ts'
import { incrementSerial, parseSerialNumbers, parseSerialNumbersBy } from './serial-numbers.ts'

/**
 * Returns the serial number of a part that follows another one (an empty text for the first number): as computed by a plugin, else by
 * incrementing the digits at the end.
 */
export const nextSerial = async (writing: Writing, part: number, serial: string): Promise<string | null> =>
  (await nextSerialOfPlugins(writing, serial, part)) ?? incrementSerial(serial)

/** Returns the next serial number like `nextSerial`, outside a write. */
export const suggestNextSerial = async (services: Services & Pick<Writing, 'caller'>, part: number, serial: string) =>
  countsItself(services)
    ? incrementSerial(serial)
    : services.database.transaction((tx) => nextSerial({ ...services, tx }, part, serial))

const countsItself = (services: Pick<Services, 'plugins'>) =>
  pluginsWithHook(services, 'validation.nextSerialNumber').length === 0

/** Runs `parseSerialNumbers` for a part, with plugins computing the next number. */
export async function serialNumbersOf(
  writing: Writing,
  part: number,
  input: string,
  expected: number,
  latest: string | null,
): Promise<string[]> {
  const { serials } = countsItself(writing)
    ? parseSerialNumbers(input, expected, latest)
    : await parseSerialNumbersBy((serial) => nextSerial(writing, part, serial), input, expected, latest)
  return serials
}
