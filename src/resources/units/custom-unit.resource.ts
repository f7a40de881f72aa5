import * as f from '../../kit/definition/field.ts'
import { resource } from '../../kit/definition/resource.ts'
import { reading, signedIn, staff } from '../../kit/request/caller.ts'
import { invalidObject } from '../../kit/request/problem.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { held, keepMeasures, packsWithUnits } from '../company/part/measure-packs.ts'
import { followUnits } from '../part/parameter/follow-units.ts'
import { customUnit as table } from './custom-unit.table.ts'
import { buildUnitRegistry, type CustomUnit, checkCustomUnit } from './physical-units.ts'
import { unitErrors } from './unit-errors.ts'
import { readCustomUnits } from './unit-registry.ts'

/** What makes a unit is for `physical-units.ts` to say. Any number of them may lack a symbol (decision 46). */
export const unit = resource({
  path: '/api/units/',
  name: 'Custom unit',
  description:
    'A unit of measure beside the physical ones that are known already, such as a spool of 100 metres. Parts can be counted in it, and packs measured.',
  remarks: {
    update:
      'What packs of supplier parts hold that are measured in it follows, and so do the numbers of parameters. Refused when other units are defined by this one, or packs or parameters measured in it, that could not be read any more.',
    delete: 'Refused when other units are defined by it, or packs of supplier parts or parameters of parts measured in it.',
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
  access: reading(signedIn, staff),
  deletesExclusively: true,
  fields: {
    pk: f.pk(table.pk),
    name: f.column(table.name, {
      required: true,
      search: true,
      order: true,
      help: 'One word of letters, digits and underscores that no unit is called by yet, in capital and small letters as it is to be written.',
    }),
    symbol: f.column(table.symbol, {
      search: true,
      order: true,
      help: 'A short name that is read like the name, one word that is no unit yet; empty for none.',
    }),
    definition: f.column(table.definition, {
      required: true,
      search: true,
      order: true,
      help: 'How much one of it is, in units that are known: 100 metre, 12, kg / m. It is more than nothing.',
    }),
  },
  constraints: {
    custom_unit_name_key: { name: [unitErrors.unit_exists] },
    custom_unit_symbol_key: { symbol: [unitErrors.unit_symbol_taken] },
  },
  async rules({ tx, before, after, errors }) {
    // whether a unit is right depends on all others, and packs follow it
    tx.lockExclusive()
    const others = await readCustomUnits(tx, before?.pk)
    const changed = { name: after('name'), symbol: after('symbol'), definition: after('definition') } as CustomUnit
    Object.assign(errors, checkCustomUnit(changed, others))
    if (before && Object.keys(errors).length === 0) await followUnit(tx, others, before as unknown as CustomUnit, [changed])
  },
  async deleting({ tx, row }) {
    await followUnit(tx, await readCustomUnits(tx, row.pk), row as unknown as CustomUnit, [])
  },
})

/**
 * Has packs and parameters follow a unit that changes or goes.
 * @throws Problem 400 when units, packs or parameters could be read with the unit as it was, and cannot any more
 */
async function followUnit(tx: Tx, others: readonly CustomUnit[], unit: CustomUnit, next: readonly CustomUnit[]): Promise<void> {
  const [before, after] = [buildUnitRegistry([...others, unit]), buildUnitRegistry([...others, ...next])]
  const lost = after.unreadable.filter((entry) => !before.unreadable.includes(entry))
  if (lost.length > 0) throw invalidObject(unitErrors.unit_defines_others({ units: lost.map(({ name }) => name) }))
  const measured = (await packsWithUnits(tx)).flatMap((pack) => {
    const amount = held(pack, before.registry)
    return amount === undefined ? [] : [{ pack, amount, next: held(pack, after.registry) }]
  })
  const unread = measured.filter(({ next }) => next === undefined).map(({ pack }) => pack.SKU)
  if (unread.length > 0) throw invalidObject(unitErrors.unit_measures_packs({ supplier_parts: unread.slice(0, 10) }))
  const lostValues = await followUnits(tx, { before: before.registry, after: after.registry })
  if (lostValues.length > 0) throw invalidObject(unitErrors.unit_measures_parameters({ parameters: lostValues.slice(0, 10) }))
  await keepMeasures(
    tx,
    measured.flatMap(({ pack, amount, next }) => (next === undefined || next === amount ? [] : [[pack, next] as const])),
  )
}
