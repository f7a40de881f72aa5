import { Type } from 'typebox'
import { view } from '../../../kit/definition/action.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { queryThrough } from '../../../kit/sql/run-query.ts'
import type { UnitRegistry } from '../../../notation/units/physical-units.ts'
import { getUnitRegistry } from '../unit-registry.ts'

/** The only system of units that the service has: meter, kilogram, second. */
const SYSTEM = 'mks'

const unitSchema = Type.Object({
  name: Type.String({ description: 'The name of the unit.' }),
  is_alias: Type.Boolean({ description: 'Whether it is another name of a unit.' }),
  compatible_units: Type.Array(Type.String(), {
    description: 'The units that amounts can be converted to, without other names.',
  }),
  isdimensionless: Type.Boolean({ description: 'Whether it counts or is a ratio.' }),
})

export const listAllUnits = view({
  path: '/api/units/all/',
  summary: 'List all units',
  description: 'All units by name, physical and custom ones, without those that a prefix makes.',
  access: signedIn,
  response: Type.Object({
    default_system: Type.String({ description: 'The system of units.' }),
    available_systems: Type.Array(Type.String(), { description: 'All systems of units.' }),
    available_units: Type.Record(Type.String(), unitSchema, { description: 'All units, by name.' }),
  }),
  async read(request) {
    return {
      default_system: SYSTEM,
      available_systems: [SYSTEM],
      available_units: describeUnits(await getUnitRegistry({ query: queryThrough(request) })),
    }
  },
})

/** All units by name. Of the names of one unit, the first one in the registry is its name, and the others are aliases. */
function describeUnits(registry: UnitRegistry) {
  const compatible = new Map<string, string[]>()
  const known = new Set<string>()
  const entries = [...registry].map(([name, quantity]) => {
    const dimension = quantity.dimension.join()
    const identity = [quantity.amount, quantity.zero, dimension].map(String).join('|')
    const isAlias = known.has(identity)
    if (!isAlias) {
      known.add(identity)
      compatible.set(dimension, [...(compatible.get(dimension) ?? []), name])
    }
    return { name, dimension, isAlias, isDimensionless: quantity.dimension.every((power) => power === 0) }
  })
  return Object.fromEntries(
    entries.map(({ name, dimension, isAlias, isDimensionless }) => [
      name,
      { name, is_alias: isAlias, compatible_units: compatible.get(dimension) ?? [], isdimensionless: isDimensionless },
    ]),
  )
}
