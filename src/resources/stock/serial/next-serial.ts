import type { Services } from '../../../kit/services/services.ts'
import { incrementSerial, parseSerialNumbers, parseSerialNumbersAsync } from '../../../notation/serial/serial-numbers.ts'
import { type PendingWrite, pluginsWithHook } from '../../../plugin-host/call-in-write.ts'
import { generatePluginSerial } from '../../plugins/validation.ts'

/**
 * Returns the serial number of a part that follows another one (an empty string for the first number): computed by a plugin, otherwise by
 * incrementing the digits at the end.
 */
export const computeNextSerial = async (writing: PendingWrite, part: number, serial: string): Promise<string | null> =>
  (await generatePluginSerial(writing, serial, part)) ?? incrementSerial(serial)

/** Returns the next serial number like `computeNextSerial`, outside a write. */
export const suggestNextSerial = async (services: Services & Pick<PendingWrite, 'caller'>, part: number, serial: string) =>
  hasNoSerialPlugin(services)
    ? incrementSerial(serial)
    : services.database.transaction((tx) => computeNextSerial({ ...services, tx }, part, serial))

const hasNoSerialPlugin = (services: Pick<Services, 'plugins'>) =>
  pluginsWithHook(services, 'validation.nextSerialNumber').length === 0

/** Runs `parseSerialNumbers` for a part, with plugins computing the next number. */
export async function parseSerialsWithPlugins(
  writing: PendingWrite,
  part: number,
  input: string,
  expected: number,
  latest: string | null,
): Promise<string[]> {
  const { serials } = hasNoSerialPlugin(writing)
    ? parseSerialNumbers(input, expected, latest)
    : await parseSerialNumbersAsync((serial) => computeNextSerial(writing, part, serial), input, expected, latest)
  return serials
}
