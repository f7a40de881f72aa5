import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { staff } = service
const PATH = '/api/web/unit-conversions/'
const preview = (body: object) => staff.post(PATH, body)

describe('GET /api/web/unit-conversions/', () => {
  it('returns the size of each custom unit in base units', async () => {
    for (const unit of [
      { name: 'spool', symbol: 'spl', definition: '100 metre' },
      { name: 'threescore', definition: '60' },
      { name: 'panel', definition: '2 spool * 3 m' },
      { name: 'flow', definition: '12 litre / minute' },
      { name: 'blink', definition: '4 / s' },
    ])
      assert.equal((await staff.post('/api/units/', unit)).status, 201, unit.name)
    await service.rows(`insert into custom_unit (name, symbol, definition) values ('lost', '', 'nothing')`)
    assert.deepEqual((await service.viewer.get(PATH)).body, [
      { name: 'spool', amount: '100', base_unit: 'm' },
      { name: 'threescore', amount: '60', base_unit: '' },
      { name: 'panel', amount: '600', base_unit: 'm²' },
      { name: 'flow', amount: '0.0002', base_unit: 'm³/s' },
      { name: 'blink', amount: '4', base_unit: '1/s' },
      { name: 'lost', amount: null, base_unit: '' },
    ])
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(PATH), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('POST /api/web/unit-conversions/', () => {
  const count = async () => (await staff.get('/api/units/')).body.count

  it('returns the size of a unit that is not stored', async () => {
    const before = await count()
    assert.deepEqual((await preview({ name: 'drum', definition: '5 spool' })).body, { amount: '500', base_unit: 'm' })
    assert.equal(await count(), before)
  })

  it('checks a unit that exists without its previous version', async () => {
    const { pk } = (await staff.get('/api/units/?search=spool')).body.results[0]
    assert.equal((await preview({ pk, name: 'spool', definition: '50 m' })).body.amount, '50')
  })

  it('rejects what creating the unit would reject, by field', async () => {
    for (const [body, field] of [
      [{ name: 'metre', definition: '2 m' }, 'name'],
      [{ name: 'two words', definition: '2 m' }, 'name'],
      [{ name: 'drum', symbol: 'm', definition: '2 m' }, 'symbol'],
      [{ name: 'drum', definition: '2 nonsense' }, 'definition'],
      [{ name: 'drum', definition: '0 m' }, 'definition'],
      [{ name: 'drum', definition: 'drum' }, 'definition'],
      [{ name: 'drum' }, 'definition'],
    ] as const) {
      const { status, body: errors } = await preview(body)
      assert.deepEqual([status, Object.keys(errors)], [400, [field]], JSON.stringify(body))
    }
  })

  it('is for staff', () =>
    assertCallers(service, (client) => client.post(PATH, { name: 'drum', definition: '2 m' }), ['staff', 'superuser']))
})
