// Over 400 lines: tests every rule of a BOM line, also under concurrent requests, on one set of parts.
import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member } = service
const path = '/api/bom/'

/** Assemblies and components, by name. */
const parts: Record<string, number> = {}
before(async () => {
  const created = await service.rows(
    `insert into part (name, assembly, component, is_template, trackable, active) values
       ('Table', true, true, true, false, true), ('Kit', true, true, false, false, true), ('Box', true, true, false, false, false),
       ('Leg', false, true, true, false, true), ('Top', false, true, false, false, true), ('Paint', false, true, false, false, true),
       ('Chip', false, true, false, true, true), ('Poster', false, false, false, false, true)
     returning name, pk`,
  )
  for (const { name, pk } of created) parts[name] = pk
  const variants = await service.rows(
    `insert into part (name, assembly, variant_of) values ('Red table', true, $1), ('Blue table', true, $1), ('Oak leg', false, $2)
     returning name, pk`,
    [parts.Table, parts.Leg],
  )
  for (const { name, pk } of variants) parts[name] = pk
})
beforeEach(() => service.rows('delete from bom_item'))

const readRows = () => service.rows('select part, sub_part, quantity from bom_item order by pk')
const createLineBody = (part: string, sub_part: string, more = {}) => ({ part: parts[part], sub_part: parts[sub_part], ...more })
const addLine = async (part: string, sub_part: string, more = {}) => {
  const { status, body } = await member.post(path, createLineBody(part, sub_part, more))
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

describe('POST /api/bom/', () => {
  it('creates a line with a quantity of 1 and defaults', async () => {
    const { pk: _, ...rest } = await addLine('Table', 'Leg')
    assert.deepEqual(rest, {
      allow_variants: false,
      inherited: false,
      note: '',
      optional: false,
      consumable: false,
      overage: '',
      setup_quantity: 0,
      attrition: 0,
      rounding_multiple: null,
      ...createLineBody('Table', 'Leg'),
      pricing_min: null,
      pricing_max: null,
      pricing_min_total: null,
      pricing_max_total: null,
      pricing_updated: null,
      quantity: 1,
      raw_amount: '1',
      reference: '',
      substitutes: [],
      validated: false,
      available_stock: 0,
      available_substitute_stock: 0,
      available_variant_stock: 0,
      external_stock: 0,
      on_order: 0,
      building: 0,
    })
  })

  it('rejects invalid input', async () => {
    for (const [body, field] of [
      [createLineBody('Leg', 'Top'), 'part'],
      [createLineBody('Table', 'Poster'), 'sub_part'],
      [{ part: parts.Table, sub_part: 99_999 }, 'sub_part'],
      [createLineBody('Table', 'Leg', { quantity: 0 }), 'quantity'],
      [createLineBody('Table', 'Leg', { quantity: -1 }), 'quantity'],
      [createLineBody('Table', 'Chip', { quantity: 1.5 }), 'quantity'],
      [createLineBody('Table', 'Leg', { overage: '-1' }), 'overage'],
      [createLineBody('Table', 'Leg', { overage: '101 %' }), 'overage'],
      [createLineBody('Table', 'Leg', { overage: '5 percent' }), 'overage'],
      [createLineBody('Table', 'Leg', { overage: '9'.repeat(20) }), 'overage'],
      [createLineBody('Table', 'Leg', { note: null }), 'note'],
      [createLineBody('Table', 'Leg', { validated: null }), 'validated'],
      [createLineBody('Table', 'Leg', { reference: 'R'.repeat(5001) }), 'reference'],
    ] as const) {
      const { status, body: response } = await member.post(path, body)
      assert.deepEqual([status, Object.keys(response)], [400, [field]], JSON.stringify(body))
    }
    assert.deepEqual(await readRows(), [])
  })

  it('stores an overage as written, and accepts a component twice', async () => {
    for (const overage of ['', '3', '2.5', '5 %', '100%'])
      assert.equal((await addLine('Table', 'Leg', { overage })).overage, overage)
  })

  it('rejects a component in the template tree of the assembly, or one that contains a part of that tree at any depth', async () => {
    const assertRejected = async (part: string, sub_part: string, more = {}) => {
      const { status, body } = await member.post(path, createLineBody(part, sub_part, more))
      assert.deepEqual([status, Object.keys(body)], [400, ['sub_part']], `${part} of ${sub_part}`)
    }
    await assertRejected('Table', 'Table')
    await assertRejected('Table', 'Red table')
    await assertRejected('Red table', 'Blue table')
    await addLine('Kit', 'Box')
    await addLine('Box', 'Table')
    await assertRejected('Table', 'Kit')
    await assertRejected('Red table', 'Kit')
    await assertRejected('Box', 'Kit')
    assert.equal((await readRows()).length, 2)
  })

  it('rejects a loop through a line that variants inherit', async () => {
    await addLine('Table', 'Kit', { inherited: true })
    const { status, body } = await member.post(path, createLineBody('Kit', 'Red table'))
    assert.deepEqual([status, Object.keys(body)], [400, ['sub_part']])
  })

  it('rejects a loop made by concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      await service.rows('delete from bom_item')
      const created = await Promise.all([
        member.post(path, createLineBody('Kit', 'Box')),
        member.post(path, createLineBody('Box', 'Table')),
        member.post(path, createLineBody('Table', 'Kit')),
      ])
      assert.deepEqual(created.map(({ status }) => status).sort(), [201, 201, 400])
    }
  })

  it('makes the assembly of a trackable component trackable, and everything that contains it', async () => {
    await addLine('Kit', 'Box')
    await addLine('Box', 'Chip', { quantity: 2 })
    const trackable = await service.rows('select name from part where trackable order by name')
    assert.deepEqual(
      trackable.map(({ name }) => name),
      ['Box', 'Chip', 'Kit'],
    )
    await service.rows(`update part set trackable = false where name <> 'Chip'`)
  })

  it('makes a variant trackable when it is created while its template gets an inherited trackable component', async () => {
    const [{ pk: category }] = await service.rows(`insert into part_category (name) values ('Tables') returning pk`)
    for (let round = 0; round < 10; round++) {
      await service.rows('delete from bom_item')
      const variants = ['low', 'high'].map((name) =>
        member.post('/api/part/', { name: `${name} ${round}`, category, assembly: true, variant_of: parts.Table }),
      )
      const created = await Promise.all([member.post(path, createLineBody('Table', 'Chip', { inherited: true })), ...variants])
      assert.deepEqual(
        created.map(({ status }) => status),
        [201, 201, 201],
      )
      assert.deepEqual(
        await service.rows('select name from part where path @> array[$1::integer] and not trackable', [parts.Table]),
        [],
      )
      await service.rows(`update part set trackable = false where name <> 'Chip'`)
    }
    await service.rows('delete from part where category = $1', [category])
  })

  it('makes an assembly trackable when it gets a component whose contents become trackable at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      await service.rows('delete from bom_item')
      await addLine('Box', 'Leg')
      const created = await Promise.all([
        member.post(path, createLineBody('Kit', 'Box')),
        member.patch(`/api/part/${parts.Leg}/`, { trackable: true }),
      ])
      assert.deepEqual(
        created.map(({ status }) => status),
        [201, 200],
      )
      const trackable = await service.rows(`select name from part where trackable and name <> 'Chip' order by name`)
      assert.deepEqual(
        trackable.map(({ name }) => name),
        ['Box', 'Kit', 'Leg'],
      )
      await service.rows(`update part set trackable = false where name <> 'Chip'`)
    }
  })

  it('requires a role that may change parts', async () => {
    await assertCallers(service, (client) => client.post(path, createLineBody('Table', 'Leg')), ['member', 'superuser'], readRows)
  })
})

describe('GET /api/bom/', () => {
  const readLines = async (query: string) =>
    (await member.get(`${path}?${query}`)).body.results.map(({ pk }: { pk: number }) => pk) as number[]

  it("finds a part's own and inherited lines", async () => {
    const inherited = await addLine('Table', 'Leg', { inherited: true })
    const own = await addLine('Table', 'Top')
    const red = await addLine('Red table', 'Paint')
    assert.deepEqual(await readLines(`part=${parts.Table}`), [inherited.pk, own.pk])
    assert.deepEqual(await readLines(`part=${parts['Red table']}`), [inherited.pk, red.pk])
    assert.deepEqual(await readLines(`part=${parts['Blue table']}`), [inherited.pk])
    assert.equal((await member.get(`${path}?part=99999`)).status, 400)
  })

  it('finds the lines that can use a part: as component, as a variant of it, or as a substitute', async () => {
    const direct = await addLine('Table', 'Oak leg')
    const variant = await addLine('Kit', 'Leg', { allow_variants: true })
    const strict = await addLine('Box', 'Leg')
    const other = await addLine('Box', 'Top')
    await member.post(`${path}substitute/`, { bom_item: other.pk, part: parts['Oak leg'] })
    assert.deepEqual(await readLines(`uses=${parts['Oak leg']}`), [direct.pk, variant.pk, other.pk])
    assert.deepEqual(await readLines(`uses=${parts.Leg}`), [variant.pk, strict.pk])
  })

  it('filters, searches and orders lines', async () => {
    const leg = await addLine('Table', 'Leg', { quantity: 4, reference: 'Corner', optional: true })
    const box = await addLine('Kit', 'Box', { consumable: true })
    const paint = await addLine('Box', 'Paint', { quantity: 0.25 })
    assert.deepEqual(await readLines('optional=true'), [leg.pk])
    assert.deepEqual(await readLines('consumable=true'), [box.pk])
    assert.deepEqual(await readLines('part_active=false'), [paint.pk])
    assert.deepEqual(await readLines('sub_part_assembly=true'), [box.pk])
    assert.deepEqual(await readLines('search=corner'), [leg.pk])
    assert.deepEqual(await readLines('search=paint'), [paint.pk])
    assert.deepEqual(await readLines('ordering=-quantity'), [leg.pk, box.pk, paint.pk])
    assert.deepEqual(await readLines('ordering=sub_part'), [box.pk, leg.pk, paint.pk])
  })

  it('shows the stock of the component, of its variants and of its substitutes', async () => {
    const { pk } = await addLine('Table', 'Leg', { quantity: 4 })
    for (const part of ['Top', 'Paint'])
      assert.equal((await member.post(`${path}substitute/`, { bom_item: pk, part: parts[part] })).status, 201)
    await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency)
       values ($1, 3, 'EUR'), ($1, 2, 'EUR'), ($2, 7, 'EUR'), ($3, 11, 'EUR'), ($4, 13, 'EUR')`,
      [parts.Leg, parts['Oak leg'], parts.Top, parts.Paint],
    )
    await service.rows(
      `insert into part_pricing (part, currency, overall_min, overall_max, updated, override_min_currency, override_max_currency)
       values ($1, 'EUR', 0.5, 2, '2026-01-02', 'EUR', 'EUR')`,
      [parts.Leg],
    )
    const { body } = await member.get(`${path}${pk}/`)
    assert.deepEqual([body.available_stock, body.available_variant_stock, body.available_substitute_stock], [5, 7, 24])
    assert.deepEqual(
      [body.pricing_min, body.pricing_max, body.pricing_min_total, body.pricing_max_total, body.pricing_updated],
      ['0.500000', '2.000000', '2.000000', '8.000000', '2026-01-02T00:00:00Z'],
    )
    assert.deepEqual(
      body.substitutes.map(({ part, part_detail }: { part: number; part_detail: { name: string } }) => [part, part_detail.name]),
      [
        [parts.Top, 'Top'],
        [parts.Paint, 'Paint'],
      ],
    )
    await service.rows(`update part_pricing set overall_max = 11.083041 where part = $1`, [parts.Leg])
    const half = await member.patch(`${path}${pk}/`, { quantity: 0.5 })
    assert.equal(half.body.pricing_max_total, '5.541520', 'rounded as money')
    assert.deepEqual(await readLines('available_stock=true'), [pk])
    assert.deepEqual(await readLines('available_stock=false'), [])
    assert.deepEqual(await readLines('has_pricing=true'), [pk])
    await service.rows('delete from stock_item')
  })

  it('shows assembly and component on request', async () => {
    const { pk, part_detail } = await addLine('Table', 'Leg')
    assert.equal(part_detail, undefined)
    const { body } = await member.get(`${path}${pk}/?part_detail=true&sub_part_detail=true`)
    assert.deepEqual([body.part_detail.name, body.sub_part_detail.name], ['Table', 'Leg'])
  })
})

describe('PATCH /api/bom/{id}/', () => {
  it('changes a line under the same rules as a new one', async () => {
    const { pk } = await addLine('Table', 'Leg')
    assert.equal((await member.patch(`${path}${pk}/`, { quantity: 4, overage: '2' })).body.quantity, 4)
    await addLine('Kit', 'Table')
    for (const [body, field] of [
      [{ sub_part: parts.Kit }, 'sub_part'],
      [{ sub_part: parts['Red table'] }, 'sub_part'],
      [{ quantity: 0 }, 'quantity'],
      [{ part: parts.Top }, 'part'],
      [{ overage: 'some' }, 'overage'],
    ] as const) {
      const response = await member.patch(`${path}${pk}/`, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
  })

  it('rejects making a line inherited if a variant would then contain itself', async () => {
    const { pk } = await addLine('Table', 'Kit')
    await addLine('Kit', 'Red table')
    const response = await member.patch(`${path}${pk}/`, { inherited: true })
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['sub_part']])
  })

  it('keeps an unchanged fractional quantity of a component that has become trackable', async () => {
    const { pk } = await addLine('Table', 'Top', { quantity: 2.5 })
    await member.patch(`/api/part/${parts.Top}/`, { trackable: true })
    assert.equal((await member.patch(`${path}${pk}/`, { note: 'Glued' })).status, 200)
    const fullLine = { ...createLineBody('Table', 'Top'), quantity: 2.5, note: 'Screwed' }
    assert.equal((await member.put(`${path}${pk}/`, fullLine)).status, 200)
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { quantity: 1.5 })).body), ['quantity'])
    assert.equal((await member.patch(`${path}${pk}/`, { quantity: 3 })).status, 200)
    await service.rows(`update part set trackable = false where name <> 'Chip'`)
  })

  it('rejects an assembly that is a substitute of the line', async () => {
    const { pk } = await addLine('Table', 'Leg')
    await member.post(`${path}substitute/`, { bom_item: pk, part: parts.Box })
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { part: parts.Box })).body), ['part'])
  })

  it('rejects a component that is already a substitute of the line', async () => {
    const { pk } = await addLine('Table', 'Leg')
    await member.post(`${path}substitute/`, { bom_item: pk, part: parts.Top })
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { sub_part: parts.Top })).body), ['sub_part'])
  })

  it('requires a role that may change parts', async () => {
    const { pk } = await addLine('Table', 'Leg')
    await assertCallers(service, (client) => client.patch(`${path}${pk}/`, { quantity: 3 }), ['member', 'superuser'], readRows)
  })
})

describe('DELETE /api/bom/', () => {
  it('deletes the listed lines, and rejects a request that lists none', async () => {
    const [one, two] = [await addLine('Table', 'Leg'), await addLine('Table', 'Top')]
    assert.equal((await member.send('DELETE', path, {})).status, 400)
    assert.equal((await member.send('DELETE', path, { items: [one.pk] })).status, 204)
    assert.deepEqual(
      (await service.rows('select pk from bom_item')).map(({ pk }) => pk),
      [two.pk],
    )
    assert.equal((await member.send('DELETE', path, { filters: { part: parts.Table } })).status, 204)
    assert.deepEqual(await readRows(), [])
  })
})

describe('POST /api/bom/substitute/', () => {
  it('accepts a part once, and not the component itself', async () => {
    const { pk } = await addLine('Table', 'Leg')
    const addSubstitute = (part: string) => member.post(`${path}substitute/`, { bom_item: pk, part: parts[part] })
    const created = await addSubstitute('Top')
    assert.deepEqual([created.status, created.body.part_detail.name], [201, 'Top'])
    for (const [part, field] of [
      ['Top', 'non_field_errors'],
      ['Leg', 'part'],
      ['Poster', 'part'],
    ] as const) {
      const { status, body } = await addSubstitute(part)
      assert.deepEqual([status, Object.keys(body)], [400, [field]], part)
    }
    const listed = await member.get(`${path}substitute/?bom_item=${pk}`)
    assert.equal(listed.body.count, 1)
    assert.equal((await member.get(`${path}substitute/?part=${parts.Leg}`)).body.count, 0)
  })

  it("rejects a part that contains the line's assembly, including through other substitutes", async () => {
    const addSubstitute = (bom_item: number, part: string) => member.post(`${path}substitute/`, { bom_item, part: parts[part] })
    const assertRejected = async (response: Promise<{ status: number; body: object }>, field: string) => {
      const { status, body } = await response
      assert.deepEqual([status, Object.keys(body)], [400, [field]])
    }
    const [inKit, inBox] = [await addLine('Kit', 'Leg'), await addLine('Box', 'Top')]
    assert.equal((await addSubstitute(inBox.pk, 'Kit')).status, 201)
    await assertRejected(addSubstitute(inKit.pk, 'Box'), 'part')
    await assertRejected(member.post(path, createLineBody('Kit', 'Box')), 'sub_part')
    await assertRejected(member.patch(`${path}${inKit.pk}/`, { sub_part: parts.Box }), 'sub_part')
    await addLine('Table', 'Box')
    await addLine('Table', 'Paint')
    const copy = (skip_invalid: boolean) =>
      member.post(`/api/part/${parts.Kit}/bom-copy/`, { part: parts.Table, remove_existing: false, skip_invalid })
    await assertRejected(copy(false), 'non_field_errors')
    assert.equal((await copy(true)).status, 201)
    const components = await service.rows('select sub_part from bom_item where part = $1 order by pk', [parts.Kit])
    assert.deepEqual(
      components.map(({ sub_part }) => sub_part),
      [parts.Leg, parts.Paint],
    )
  })

  it('rejects a loop through substitutes made by concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      await service.rows('delete from bom_item')
      const [inKit, inBox] = [await addLine('Kit', 'Leg'), await addLine('Box', 'Top')]
      const created = await Promise.all([
        member.post(`${path}substitute/`, { bom_item: inKit.pk, part: parts.Box }),
        member.post(`${path}substitute/`, { bom_item: inBox.pk, part: parts.Kit }),
      ])
      assert.deepEqual(created.map(({ status }) => status).sort(), [201, 400])
    }
  })

  it('rejects the assembly of the line and its variants, which would contain themselves', async () => {
    await service.rows(`update part set component = true where name = 'Red table'`)
    const { pk } = await addLine('Table', 'Leg')
    for (const part of ['Table', 'Red table']) {
      const { status, body } = await member.post(`${path}substitute/`, { bom_item: pk, part: parts[part] })
      assert.deepEqual([status, Object.keys(body)], [400, ['part']], part)
    }
  })

  it('requires a role that may change parts', async () => {
    const { pk } = await addLine('Table', 'Leg')
    await assertCallers(
      service,
      (client) => client.post(`${path}substitute/`, { bom_item: pk, part: parts.Top }),
      ['member', 'superuser'],
      () => service.rows('select bom_item, part from bom_item_substitute'),
    )
  })
})

describe('PATCH /api/part/{id}/', () => {
  it('makes everything that contains a part trackable with it', async () => {
    await addLine('Kit', 'Box')
    await addLine('Box', 'Top')
    await member.patch(`/api/part/${parts.Top}/`, { trackable: true })
    const trackable = await service.rows(`select name from part where trackable and name <> 'Chip' order by name`)
    assert.deepEqual(
      trackable.map(({ name }) => name),
      ['Box', 'Kit', 'Top'],
    )
    await service.rows(`update part set trackable = false where name <> 'Chip'`)
  })

  it('rejects making a part with a trackable component untrackable', async () => {
    await addLine('Kit', 'Chip')
    const { status, body } = await member.patch(`/api/part/${parts.Kit}/`, { trackable: false })
    assert.deepEqual([status, Object.keys(body)], [400, ['trackable']])
    await service.rows('delete from bom_item')
    assert.equal((await member.patch(`/api/part/${parts.Kit}/`, { trackable: false })).status, 200)
  })

  it('makes a part trackable when it inherits a trackable component, like a new variant', async () => {
    await addLine('Table', 'Chip', { inherited: true })
    const [{ pk: category }] = await service.rows(`insert into part_category (name) values ('Furniture') returning pk`)
    const create = async (name: string, more = {}) => {
      const { status, body } = await member.post('/api/part/', {
        name,
        description: 'Of wood',
        category,
        assembly: true,
        ...more,
      })
      assert.equal(status, 201, JSON.stringify(body))
      return body.pk as number
    }
    const created = [await create('Lamp'), await create('Green table', { variant_of: parts.Table })]
    const moved = await member.patch(`/api/part/${created[0]}/`, { variant_of: parts.Table })
    assert.equal(moved.body.trackable, true, JSON.stringify(moved.body))
    assert.equal((await member.get(`/api/part/${created[1]}/`)).body.trackable, true)
    await service.rows(`update part set trackable = false where name <> 'Chip'`)
    await service.rows('delete from bom_item')
    await service.rows('update part set variant_of = null where pk = any($1)', [created])
  })

  it('rejects moving a part below a template that it is a component of', async () => {
    await addLine('Table', 'Kit')
    const { status, body } = await member.patch(`/api/part/${parts.Kit}/`, { variant_of: parts.Table })
    assert.deepEqual([status, Object.keys(body)], [400, ['variant_of']])
  })
})
