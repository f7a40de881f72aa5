import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { recalculateDuePrices } from '../part/pricing/price-runs.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member } = service
const path = '/api/bom/'

/** A lamp takes a socket, and one variant of the socket is made from old lamps; the drawer takes one as a substitute. */
const parts: Record<string, number> = {}
before(async () => {
  const insert = async (statement: string, values: unknown[] = []) => {
    for (const { name, pk } of await service.rows(`${statement} returning name, pk`, values)) parts[name] = pk
  }
  await insert(`insert into part (name, assembly, is_template) values
    ('Lamp', true, true), ('Drawer', true, false), ('Socket', true, true), ('Screw', false, false), ('Other', true, true)`)
  await insert(
    `insert into part (name, assembly, is_template, variant_of) values ('Old socket', true, true, $1), ('Red lamp', true, false, $2)`,
    [parts.Socket, parts.Lamp],
  )
  await insert(`insert into part (name, assembly, variant_of) values ('Very old socket', true, $1)`, [parts['Old socket']])
})
beforeEach(async () => {
  await service.rows('delete from bom_item')
  await service.rows('update part set variant_of = $1 where pk = $2 and variant_of is distinct from $1', [
    parts.Socket,
    parts['Old socket'],
  ])
})

const line = (part: string, sub_part: string, more = {}) => ({ part: parts[part], sub_part: parts[sub_part], ...more })
const postLine = (part: string, sub_part: string, more = {}) => member.post(path, line(part, sub_part, more))
const add = async (part: string, sub_part: string, more = {}): Promise<number> => {
  const { status, body } = await postLine(part, sub_part, more)
  assert.equal(status, 201, JSON.stringify(body))
  return body.pk
}
const addSubstitute = (bom_item: number, part: string) => member.post(`${path}substitute/`, { bom_item, part: parts[part] })
async function assertRejected(response: Promise<{ status: number; body: object }>, field: string): Promise<void> {
  const { status, body } = await response
  assert.deepEqual([status, Object.keys(body)], [400, [field]])
}
const ALLOW_VARIANTS = { allow_variants: true }

describe('POST /api/bom/', () => {
  it('rejects an assembly that is part of an allowed variant of its component', async () => {
    const line = await add('Old socket', 'Lamp')
    await assertRejected(postLine('Lamp', 'Socket', ALLOW_VARIANTS), 'sub_part')
    await member.delete(`${path}${line}/`)
    // the red lamp's components are its own: it does not inherit the line
    await add('Very old socket', 'Red lamp')
    await add('Lamp', 'Socket', ALLOW_VARIANTS)
    await assertRejected(postLine('Very old socket', 'Lamp'), 'sub_part')
  })

  it('rejects a component with an allowed variant that contains the assembly, at any depth', async () => {
    await add('Very old socket', 'Drawer')
    await add('Drawer', 'Lamp')
    await assertRejected(postLine('Lamp', 'Socket', ALLOW_VARIANTS), 'sub_part')
    await assertRejected(postLine('Lamp', 'Old socket', ALLOW_VARIANTS), 'sub_part')
    await add('Lamp', 'Socket')
  })

  it('rejects the same for a line that variants of the assembly inherit', async () => {
    await add('Old socket', 'Red lamp')
    await assertRejected(postLine('Lamp', 'Socket', { ...ALLOW_VARIANTS, inherited: true }), 'sub_part')
    await add('Lamp', 'Socket', ALLOW_VARIANTS)
  })

  it('rejects a loop through variants and substitutes together', async () => {
    await add('Lamp', 'Socket', ALLOW_VARIANTS)
    const screw = await add('Drawer', 'Screw')
    await add('Old socket', 'Drawer')
    await assertRejected(addSubstitute(screw, 'Lamp'), 'part')
    await service.rows('insert into bom_item_substitute (bom_item, part) values ($1, $2)', [
      await add('Other', 'Screw'),
      parts.Drawer,
    ])
  })

  it('rejects one of two concurrent lines that make a loop', async () => {
    for (let round = 0; round < 5; round++) {
      await service.rows('delete from bom_item')
      const responses = await Promise.all([postLine('Lamp', 'Socket', ALLOW_VARIANTS), postLine('Very old socket', 'Lamp')])
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400])
    }
  })
})

describe('PATCH /api/bom/{id}/', () => {
  it('rejects allowing variants if one contains the assembly', async () => {
    await add('Old socket', 'Lamp')
    const pk = await add('Lamp', 'Socket')
    await assertRejected(member.patch(`${path}${pk}/`, ALLOW_VARIANTS), 'sub_part')
    assert.equal((await member.patch(`${path}${pk}/`, { note: 'New ones only', quantity: 2 })).status, 200)
  })
})

describe('PATCH /api/part/{id}/', () => {
  const setTemplate = (part: string, variant_of: string | null) =>
    member.patch(`/api/part/${parts[part]}/`, { variant_of: variant_of && parts[variant_of] })

  it('rejects making an assembly a variant that could then be one of its own components', async () => {
    assert.equal((await setTemplate('Old socket', null)).status, 200)
    await add('Very old socket', 'Drawer')
    await add('Drawer', 'Socket', ALLOW_VARIANTS)
    await assertRejected(setTemplate('Old socket', 'Socket'), 'variant_of')
    assert.equal((await setTemplate('Old socket', 'Other')).status, 200)
  })

  it('rejects either a new line or a new template if the two together make a loop', async () => {
    for (let round = 0; round < 5; round++) {
      await service.rows('delete from bom_item')
      assert.equal((await setTemplate('Old socket', null)).status, 200)
      await add('Old socket', 'Lamp')
      const responses = await Promise.all([postLine('Lamp', 'Socket', ALLOW_VARIANTS), setTemplate('Old socket', 'Socket')])
      assert.equal(
        responses.filter(({ status }) => status === 400).length,
        1,
        JSON.stringify(responses.map(({ status }) => status)),
      )
    }
  })
})

describe('POST /api/part/{id}/bom-copy/', () => {
  it('skips lines, or rejects the whole copy, if allowed variants contain the part', async () => {
    await add('Drawer', 'Socket', ALLOW_VARIANTS)
    await add('Drawer', 'Screw')
    await add('Old socket', 'Lamp')
    const copy = (skip_invalid: boolean) => member.post(`/api/part/${parts.Lamp}/bom-copy/`, { part: parts.Drawer, skip_invalid })
    await assertRejected(copy(false), 'non_field_errors')
    assert.equal((await copy(true)).status, 201)
    assert.deepEqual(await service.rows('select sub_part from bom_item where part = $1', [parts.Lamp]), [
      { sub_part: parts.Screw },
    ])
  })
})

describe('an imported loop through variants', () => {
  /** Inserts a loop the way an import from InvenTree does, which rejects none. */
  async function importLoop(): Promise<void> {
    const client = await service.pool.connect()
    await client.query('begin; set local stockroom.replacements = off')
    for (const [part, sub_part, anyVariant] of [
      ['Old socket', 'Lamp', false],
      ['Lamp', 'Socket', true],
    ] as const)
      await client.query('insert into bom_item (part, sub_part, quantity, allow_variants) values ($1, $2, 2, $3)', [
        parts[part],
        parts[sub_part],
        anyVariant,
      ])
    await client.query('commit')
    client.release()
  }

  it('can be shown, scheduled, built and changed like any other', { timeout: scaleTimeout(60_000) }, async () => {
    await importLoop()
    const lamp = `part=${parts.Lamp}`
    for (const url of [
      `${path}?${lamp}&sub_part_detail=true`,
      `${path}?uses=${parts['Old socket']}`,
      `/api/part/?in_bom_for=${parts.Lamp}`,
      `/api/part/${parts.Lamp}/requirements/`,
      `/api/part/${parts.Lamp}/scheduling/`,
    ])
      assert.equal((await member.get(url)).status, 200, url)
    const buildOrder = await member.post('/api/build/', { part: parts.Lamp, quantity: 3, reference: 'BO-7001' })
    assert.equal(buildOrder.status, 201, JSON.stringify(buildOrder.body))
    assert.equal((await member.get(`/api/build/line/?build=${buildOrder.body.pk}`)).body.count, 1)
    assert.equal((await member.post(`/api/build/${buildOrder.body.pk}/auto-allocate/`, {})).status, 201)
    await add('Red lamp', 'Screw')
    const [{ pk }] = await service.rows('select pk from bom_item where part = $1', [parts.Lamp])
    assert.equal((await member.patch(`${path}${pk}/`, { quantity: 5 })).status, 200)
    assert.equal((await member.patch(`${path}${pk}/`, { allow_variants: false })).status, 200)
    await assertRejected(member.patch(`${path}${pk}/`, ALLOW_VARIANTS), 'sub_part')
  })

  it('does not prevent deleting its templates', async () => {
    await importLoop()
    const [{ pk: above }] = await service.rows(
      `insert into part (name, is_template, active) values ('Above', true, false) returning pk`,
    )
    const client = await service.pool.connect()
    // makes the socket a variant without the check for loops, as old data may contain it
    await client.query('alter table part disable trigger refuse_bom_loop')
    await client.query('update part set variant_of = $1 where pk = $2', [above, parts.Socket])
    await client.query('alter table part enable trigger refuse_bom_loop')
    client.release()
    assert.equal((await member.delete(`/api/part/${above}/`)).status, 204)
  })

  it('has price calculations that terminate', { timeout: scaleTimeout(60_000) }, async () => {
    await importLoop()
    const pricing = await member.patch(`/api/part/${parts.Socket}/pricing/`, { override_min: '2', override_min_currency: 'USD' })
    assert.equal(pricing.status, 200, JSON.stringify(pricing.body))
    const { services } = service.app.routes
    let runs = 0
    while ((await recalculateDuePrices(services)) > 0)
      assert.ok(++runs < 5, 'the parts request recalculation of each other without end')
    const [lamp] = await service.rows('select bom_cost_min::float from part_pricing where part = $1', [parts.Lamp])
    assert.deepEqual(lamp, { bom_cost_min: 4 })
  })
})
