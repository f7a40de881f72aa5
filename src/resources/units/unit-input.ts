import * as input from '../../kit/definition/input.ts'
import { isKnownUnit } from '../../notation/units/physical-units.ts'
import { unitErrors } from '../../notation/units/unit-errors.ts'
import { getUnitRegistry } from './unit-registry.ts'

/** Unit of measure: a known one, including custom units, or an empty string. */
export function unitInput(options: Parameters<typeof input.text>[0] = {}): input.Input<string> {
  const text = input.text(options)
  return {
    ...text,
    read(value, reading, fail) {
      const unit = text.read(value, reading, fail)
      reading.checks ??= []
      if (unit)
        reading.checks.push(async (tx) => {
          if (!isKnownUnit(unit, await getUnitRegistry(tx))) fail([unitErrors.not_a_physical_unit({ unit })])
        })
      return unit
    },
  }
}
