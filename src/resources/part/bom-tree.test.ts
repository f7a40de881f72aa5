import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const { member } = service

const parts: Record<string, number> = {}
const getPart = (name: string): number => parts[name] as number
const addLine = async (part: string, sub_part: string, quantity: number | string, more = {}): Promise<number> => {
  const { status, body, text } = await member.post('/api/bom/', {
    part: parts[part],
    sub_part: parts[sub_part],
    quantity,
    ...more,
  })
  assert.equal(status, 201, text)
  return body.pk
}
const READERS = ['viewer', 'member', 'superuser'] as const

before(async () => {
  for (const { name, pk } of await service.rows(
    `insert into part (name, assembly, component, is_template, units)
     select name, name in ('Machine', 'Panel', 'Board'), true, name in ('Panel', 'Resistor'), case name when 'Wire' then 'm' end
     from unnest(array['Machine', 'Panel', 'Board', 'Resistor', 'Chip', 'Wire', 'Paste']) name returning name, pk`,
  ))
    parts[name] = pk
  for (const [name, variantOf] of [
    ['Blue panel', 'Panel'],
    ['Thin resistor', 'Resistor'],
  ] as const)
    for (const { pk } of await service.rows(
      'insert into part (name, assembly, component, variant_of) values ($1, $2, true, $3) returning pk',
      [name, name === 'Blue panel', parts[variantOf]],
    ))
      parts[name] = pk
  await addLine('Machine', 'Blue panel', 3)
  await addLine('Machine', 'Wire', '0.1')
  await addLine('Panel', 'Board', 2, { inherited: true })
  await addLine('Blue panel', 'Wire', '0.7', { reference: 'W1' })
  await addLine('Board', 'Resistor', 7, { reference: 'R1-R7', allow_variants: true, overage: '10 %' })
  const chip = await addLine('Board', 'Chip', 1, { optional: true })
  await addLine('Board', 'Paste', '0.00003', { consumable: true })
  const substitute = await member.post('/api/bom/substitute/', { bom_item: chip, part: parts.Paste })
  assert.equal(substitute.status, 201, substitute.text)
  await service.rows(
    `insert into part_pricing (part, currency, overall_min, overall_max, override_min_currency, override_max_currency) values
       ($1, 'USD', 0.1, 0.3, 'USD', 'USD'), ($2, 'EUR', 5, 5, 'USD', 'USD'), ($3, 'USD', 0.123456, 0.123456, 'USD', 'USD')
     on conflict (part) do update set currency = excluded.currency, overall_min = excluded.overall_min, overall_max = excluded.overall_max`,
    [parts.Resistor, parts.Chip, parts.Wire],
  )
})

describe('GET /api/part/{id}/bom-tree/', () => {
  const read = async (part: string) => (await member.get(`/api/part/${getPart(part)}/bom-tree/`)).body

  it('lists each level with quantities multiplied through and exact costs', async () => {
    const { currency, complete, lines } = await read('Machine')
    assert.deepEqual([currency, complete], ['USD', true])
    assert.deepEqual(
      lines.map((line: any) => [
        line.depth,
        line.part_detail.full_name,
        line.quantity,
        line.total_quantity,
        line.cost_min,
        line.cost_max,
      ]),
      [
        [1, 'Blue panel', 3, 3, null, null],
        [2, 'Board', 2, 6, null, null],
        [3, 'Resistor', 7, 42, '4.2', '12.6'],
        // in another currency than that of the response
        [3, 'Chip', 1, 6, null, null],
        [3, 'Paste', 0.00003, 0.00018, null, null],
        [2, 'Wire', 0.7, 2.1, '0.2592576', '0.2592576'],
        [1, 'Wire', 0.1, 0.1, '0.0123456', '0.0123456'],
      ],
    )
    const [panel, board, resistor, chip, paste, wire] = lines
    assert.deepEqual([board.assembly, wire.assembly, wire.reference], [parts.Panel, parts['Blue panel'], 'W1'])
    assert.deepEqual([resistor.reference, chip.optional, paste.consumable, panel.optional], ['R1-R7', true, true, false])
    assert.deepEqual(
      [wire.part_detail.units, panel.part_detail.assembly, wire.part_detail.assembly, wire.part_detail.active],
      ['m', true, false, true],
    )
  })

  it('has the available stock of each component', async () => {
    const { status, text } = await member.post('/api/stock/', { part: parts.Resistor, quantity: 12 })
    assert.equal(status, 201, text)
    const { lines } = await read('Board')
    assert.deepEqual(
      lines.map(({ available_stock }: { available_stock: number }) => available_stock),
      [12, 0, 0],
    )
  })

  it('is empty for a part without a BOM, and missing for a part that does not exist', async () => {
    assert.deepEqual(await read('Chip'), { currency: 'USD', complete: true, lines: [] })
    assert.equal((await member.get('/api/part/99999/bom-tree/')).status, 404)
  })

  it('has at most 5,000 lines, without the deepest', async () => {
    const [top, middle, bottom] = (
      await service.rows(
        `insert into part (name, assembly, component) values ('Top', true, true), ('Middle', true, true), ('Bottom', false, true) returning pk`,
      )
    ).map(({ pk }) => pk)
    await service.rows(
      `insert into bom_item (part, sub_part, quantity) select $1::integer, $2::integer, 1 from generate_series(1, 80)
       union all select $2, $3::integer, 1 from generate_series(1, 80)`,
      [top, middle, bottom],
    )
    const { complete, lines } = (await member.get(`/api/part/${top}/bom-tree/`)).body
    assert.deepEqual([complete, lines.length], [false, 5_000])
    assert.equal(lines.filter(({ depth }: { depth: number }) => depth === 1).length, 80)
    await service.rows('delete from bom_item where part = any($1)', [[top, middle]])
  })

  it('requires the permission to view BOMs', () =>
    assertCallers(service, (client) => client.get(`/api/part/${getPart('Machine')}/bom-tree/`), READERS))
})

describe('GET /api/part/{id}/used-in-tree/', () => {
  const read = async (part: string) =>
    (await member.get(`/api/part/${getPart(part)}/used-in-tree/`)).body.lines.map((line: any) => [
      line.depth,
      line.part_detail.full_name,
      line.use,
      line.quantity,
      line.total_quantity,
    ])

  it('lists the assemblies at any depth, with quantities multiplied through', async () => {
    const above = (perBoard: number) => [
      [2, 'Panel', 'component', 2, perBoard * 2],
      [2, 'Blue panel', 'component', 2, perBoard * 2],
      [3, 'Machine', 'component', 3, perBoard * 6],
    ]
    assert.deepEqual(await read('Resistor'), [[1, 'Board', 'component', 7, 7], ...above(7)])
    assert.deepEqual(await read('Thin resistor'), [[1, 'Board', 'variant', 7, 7], ...above(7)])
    assert.deepEqual(await read('Paste'), [
      [1, 'Board', 'substitute', 1, 1],
      ...above(1),
      [1, 'Board', 'component', 0.00003, 0.00003],
      ...above(0.00003),
    ])
    assert.deepEqual(await read('Machine'), [])
  })

  it('is missing for a part that does not exist, and requires the permission to view BOMs', async () => {
    assert.equal((await member.get('/api/part/99999/used-in-tree/')).status, 404)
    await assertCallers(service, (client) => client.get(`/api/part/${getPart('Chip')}/used-in-tree/`), READERS)
  })
})
