import type { Services } from '../../../kit/services/services.ts'
import { pluginsHaving, type Writing } from '../../../plugin-host/ask-in-write.ts'
import { nextSerialOfPlugins } from '../../plugins/validation.ts'
import { incrementSerial, parseSerialNumbers, parseSerialNumbersBy } from './serial-numbers.ts'

/** The serial number of a part that follows another one, empty for none: as a plugin counts, else the digits at the end plus one. */
export const nextSerial = async (writing: Writing, part: number, serial: string): Promise<string | null> =>
  (await nextSerialOfPlugins(writing, serial, part)) ?? incrementSerial(serial)

/** The same outside a write. */
export const suggestNextSerial = async (services: Services & Pick<Writing, 'caller'>, part: number, serial: string) =>
  countsItself(services)
    ? incrementSerial(serial)
    : services.database.transaction((tx) => nextSerial({ ...services, tx }, part, serial))

const countsItself = (services: Pick<Services, 'plugins'>) => pluginsHaving(services, 'validation.nextSerialNumber').length === 0

/** `parseSerialNumbers` for a part, counted on as plugins count. */
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
