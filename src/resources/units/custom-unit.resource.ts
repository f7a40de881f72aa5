import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { readWriteAccess, signedIn, staff } from '../../kit/request/caller.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { buildUnitRegistry, type CustomUnit, checkCustomUnit } from '../../notation/units/physical-units.ts'
import { unitErrors } from '../../notation/units/unit-errors.ts'
import { lockPacksWithUnits, measurePack, storePackContents } from '../company/part/measure-packs.ts'
import { recomputeAfterUnitChange } from '../parameter/follow-units.ts'
import { customUnit as table } from './custom-unit.table.ts'
import { readCustomUnits } from './unit-registry.ts'

/** `physical-units.ts` defines the rules of units. Any number of units may have no symbol. */
export const unit = resource({
  path: '/api/units/',
  name: 'Custom unit',
  description:
    'A custom unit of measure in addition to the physical ones, such as a spool of 100 meters. Parts and packs can be measured in it.',
  remarks: {
    update:
      'Pack quantities of supplier parts and numeric values of parameters in the unit are recalculated. Rejected if other units that are defined by it, or packs or parameters in it, would become invalid.',
    delete: 'Rejected while other units are defined by it, or packs of supplier parts or parameters of parts use it.',
  },
  example: {
    pk: 1,
    create: { name: 'drum', symbol: '', definition: '500 metre' },
    replace: { name: 'spool', symbol: 'spl', definition: '100 metre' },
    change: { symbol: 'sp' },
    deletable: 2,
  },
  model: 'customunit',
  table,
  access: readWriteAccess(signedIn, staff),
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, {
      required: true,
      search: true,
      order: true,
      help: 'One word of letters, digits and underscores that is not a unit yet, case-sensitive.',
    }),
    symbol: f.column(table.symbol, {
      search: true,
      order: true,
      help: 'A short form of the name, one word that is not a unit yet; empty for none.',
    }),
    definition: f.column(table.definition, {
      required: true,
      search: true,
      order: true,
      help: 'The size of one unit, in known units: 100 metre, 12, kg / m. It must be greater than zero.',
    }),
  },
  constraints: {
    custom_unit_name_key: { name: [unitErrors.unit_exists] },
    custom_unit_symbol_key: { symbol: [unitErrors.unit_symbol_taken] },
  },
  async rules({ tx, before, after, errors }) {
    // the validity of a unit depends on all others, and packs are recalculated with it
    tx.lockExclusive()
    const others = await readCustomUnits(tx, before?.pk)
    const changed = { name: after('name'), symbol: after('symbol'), definition: after('definition') } as CustomUnit
    Object.assign(errors, checkCustomUnit(changed, others))
    if (before && Object.keys(errors).length === 0)
      await recalculateForUnit(tx, others, before as unknown as CustomUnit, [changed])
  },
  async beforeDelete({ tx, row }) {
    await recalculateForUnit(tx, await readCustomUnits(tx, row.pk), row as unknown as CustomUnit, [])
  },
})

/**
 * Recalculates packs and parameters when a unit changes or is deleted.
 * @throws Problem 400 when units, packs or parameters were readable with the previous unit, and no longer are
 */
async function recalculateForUnit(
  tx: Tx,
  others: readonly CustomUnit[],
  unit: CustomUnit,
  next: readonly CustomUnit[],
): Promise<void> {
  const [before, after] = [buildUnitRegistry([...others, unit]), buildUnitRegistry([...others, ...next])]
  const lostUnits = after.unreadable.filter((entry) => !before.unreadable.includes(entry))
  if (lostUnits.length > 0) throw invalidObject(unitErrors.unit_defines_others({ units: lostUnits.map(({ name }) => name) }))
  const measured = (await lockPacksWithUnits(tx)).flatMap((pack) => {
    const amount = measurePack(pack, before.registry)
    return amount === undefined ? [] : [{ pack, amount, next: measurePack(pack, after.registry) }]
  })
  const unmeasurablePacks = measured.filter(({ next }) => next === undefined).map(({ pack }) => pack.SKU)
  if (unmeasurablePacks.length > 0)
    throw invalidObject(unitErrors.unit_measures_packs({ supplier_parts: unmeasurablePacks.slice(0, 10) }))
  const lostValues = await recomputeAfterUnitChange(tx, { before: before.registry, after: after.registry })
  if (lostValues.length > 0) throw invalidObject(unitErrors.unit_measures_parameters({ parameters: lostValues.slice(0, 10) }))
  await storePackContents(
    tx,
    measured.flatMap(({ pack, amount, next }) => (next === undefined || next === amount ? [] : [[pack, next] as const])),
  )
}
