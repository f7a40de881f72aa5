import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { reading, signedIn, staff } from '../../kit/request/caller.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { customUnit as table } from './custom-unit.table.ts'
import { buildUnitRegistry, type CustomUnit, checkCustomUnit } from './physical-units.ts'
import { readCustomUnits } from './unit-registry.ts'

/**
 * Units of measure beside the built-in ones. Anyone with an account sees them; staff keep them. Any number of them may lack a
 * symbol (decision 46). A unit that others are defined by cannot be taken away from them.
 */
export const unit = resource({
  path: '/api/units/',
  name: 'Custom unit',
  model: 'customunit',
  table,
  access: reading(signedIn, staff),
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, { required: true }),
    symbol: f.column(table.symbol),
    definition: f.column(table.definition, { required: true }),
  },
  constraints: {
    custom_unit_name_key: { name: ['There is a unit of this name already'] },
    custom_unit_symbol_key: { symbol: ['Unit symbol must be unique'] },
  },
  async rules({ tx, before, after, errors }) {
    const others = await lockedUnits(tx, before?.pk)
    const changed = { name: after('name'), symbol: after('symbol'), definition: after('definition') } as CustomUnit
    Object.assign(errors, checkCustomUnit(changed, others))
    if (before && Object.keys(errors).length === 0) refuseToLoseUnits(others, before as unknown as CustomUnit, [changed])
  },
  async deleting({ tx, row }) {
    refuseToLoseUnits(await lockedUnits(tx, row.pk), row as unknown as CustomUnit, [])
  },
})

/** The other units, which nobody else changes meanwhile: whether a unit is right depends on all of them. */
async function lockedUnits(tx: Tx, without: number | undefined): Promise<CustomUnit[]> {
  await tx.query('lock table custom_unit in share row exclusive mode')
  return readCustomUnits(tx, without)
}

/** Throws when units could be read with the unit as it was, and cannot with what comes in its place. */
function refuseToLoseUnits(others: readonly CustomUnit[], before: CustomUnit, after: readonly CustomUnit[]): void {
  const unreadable = new Set(buildUnitRegistry([...others, before]).unreadable)
  const lost = buildUnitRegistry([...others, ...after]).unreadable.filter((entry) => !unreadable.has(entry))
  if (lost.length > 0) throw invalidObject(`Other units are defined by this one: ${lost.map(({ name }) => name).join(', ')}`)
}
