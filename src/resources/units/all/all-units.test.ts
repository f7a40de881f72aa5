import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const readUnits = async () => (await service.nobody.get('/api/units/all/')).body.available_units

describe('GET /api/units/all/', () => {
  it('lists all units with those that they can be converted to', async () => {
    const units = await readUnits()
    for (const [name, unit] of Object.entries<{ name: string; is_alias: boolean; compatible_units: string[] }>(units)) {
      assert.equal(unit.name, name)
      assert.ok(unit.compatible_units.length > 0, name)
      assert.equal(unit.compatible_units.includes(name), !unit.is_alias, name)
      for (const other of unit.compatible_units) assert.deepEqual(units[other].compatible_units, unit.compatible_units)
    }
    assert.deepEqual([units['%'].isdimensionless, units.A.isdimensionless], [true, false])
    assert.equal(
      units.metre.compatible_units.some((name: string) => units[name].compatible_units.includes('inch')),
      true,
    )
  })

  it('has custom units', async () => {
    await service.staff.post('/api/units/', { name: 'spool', symbol: 'spl', definition: '100 metre' })
    const { spool, spl, metre } = await readUnits()
    assert.deepEqual([spool.is_alias, spl.is_alias], [false, true])
    assert.deepEqual(spool.compatible_units, metre.compatible_units)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get('/api/units/all/'), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})
