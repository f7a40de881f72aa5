import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import fc from 'fast-check'
import { createRoundTripCounter } from '../../../testing/round-trips.ts'
import { testService } from '../../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member } = service
const SUBMIT = '/api/bom/import/submit/'

const RUNS = Number(process.env.BOM_IMPORT_RUNS ?? 60)

/** Two templates, each with a variant; assemblies that can contain one another; trackable parts; parts that are not components or not assemblies. */
const PARTS = [
  { name: 'Case', is_template: true },
  { name: 'Red case', variant_of: 'Case' },
  { name: 'Board', is_template: true },
  { name: 'Small board', variant_of: 'Board' },
  { name: 'Cable' },
  { name: 'Drum' },
  { name: 'Chip', assembly: false, trackable: true },
  { name: 'Wire', assembly: false },
  { name: 'Poster', component: false },
]
const parts: Record<string, number> = {}

before(async () => {
  for (const { name, is_template = false, variant_of = '', assembly = true, component = true, trackable = false } of PARTS) {
    const [{ pk }] = await service.rows(
      `insert into part (name, is_template, variant_of, assembly, component, trackable) values ($1, $2, $3, $4, $5, $6) returning pk`,
      [name, is_template, parts[variant_of] ?? null, assembly, component, trackable],
    )
    parts[name] = pk
  }
  await service.rows(`insert into build_order (reference, reference_int, part, quantity, status) values ('BO-1', 1, $1, 3, 20)`, [
    parts['Small board'],
  ])
})

type Line = Record<string, unknown>

/** Mostly valid lines: two hundred of them eventually form loops. */
const name = fc.constantFrom(...PARTS.map(({ name }) => name))
const assembly = fc.constantFrom('Case', 'Red case', 'Board', 'Small board', 'Cable', 'Drum')
const component = fc.constantFrom('Wire', 'Wire', 'Chip', 'Cable', 'Drum', 'Board', 'Small board', 'Red case')
const line: fc.Arbitrary<Line> = fc
  .record({
    part: fc.oneof({ weight: 30, arbitrary: assembly }, { weight: 1, arbitrary: name }),
    sub_part: fc.oneof({ weight: 30, arbitrary: component }, { weight: 1, arbitrary: name }),
    quantity: fc.oneof(
      { weight: 20, arbitrary: fc.integer({ min: 1, max: 9 }) },
      { weight: 6, arbitrary: fc.constantFrom('0.5', '2.25') },
      { weight: 1, arbitrary: fc.constantFrom(0, -1, 'x', true) },
    ),
    inherited: fc.oneof({ weight: 5, arbitrary: fc.constantFrom(undefined, '', null) }, { weight: 1, arbitrary: fc.boolean() }),
    allow_variants: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.boolean() }),
    reference: fc.constantFrom(undefined, '', 'R1, R2', 'U"4\\'),
    overage: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(undefined, '2 %') },
      { weight: 1, arbitrary: fc.constant('lots') },
    ),
    note: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(undefined, ' as sent ') },
      { weight: 1, arbitrary: fc.constant('<b>x</b>') },
    ),
  })
  .map(({ part, sub_part, ...more }) => ({ part: parts[part], sub_part: parts[sub_part], ...more }))
const lines = fc.array(line, { minLength: 1, maxLength: 12 })

/** Replaces all BOM lines by these; those that conflict with earlier ones are left out. */
async function reset(existing: readonly Line[]): Promise<void> {
  await service.rows('delete from bom_item')
  await service.rows(`update part set trackable = name = 'Chip' where trackable <> (name = 'Chip')`)
  for (const line of existing) await member.post('/api/bom/', removeEmptyFields(line))
  await service.rows('delete from part_price_due')
  await service.rows('delete from event')
}

/** Reads everything that submitting changes, except keys. */
const readState = async () => {
  const [row] = await service.rows(`select
    (select json_agg(l order by l.pk) from (select rank() over (order by pk) as pk, part, sub_part, quantity, reference, note, overage, optional,
      consumable, inherited, allow_variants, checksum, digest, metadata from bom_item) l) as lines,
    (select json_agg(pk order by pk) from part where trackable) as trackable,
    (select json_agg(array[item.part, item.sub_part, line.part, line.quantity] order by item.pk) from build_line line join bom_item item on item.pk = line.bom_item) as build_lines,
    (select json_agg(array[pk, required_for_build_orders] order by pk) from part_quantity) as sums,
    (select json_agg(distinct part) from part_price_due) as prices,
    (select json_agg(e order by model, kind) from (select model, kind, count(*) from event where model <> 'part' group by model, kind) e) as events,
    (select json_agg(distinct array[key::text, kind]) from event where model = 'part') as part_events,
    (select sum(rows) from change_counter where table_name = 'bom_item') as count`)
  return row
}

/** Removes empty fields, for a line that is sent to `POST /api/bom/`. */
const removeEmptyFields = (line: Line): Line =>
  Object.fromEntries(Object.entries(line).filter(([, value]) => value !== undefined && value !== null && value !== ''))

/** Whether a field of a line is invalid by itself: those errors are reported for all lines together, before any is created. */
const hasInvalidField = ({ part, sub_part, quantity, overage, note }: Line): boolean =>
  [parts.Chip, parts.Wire].includes(part as number) ||
  sub_part === parts.Poster ||
  ['x', true, -1].includes(quantity as string) ||
  overage === 'lots' ||
  note === '<b>x</b>'

/** Expected response and result of submitting: creates each line by itself, until one is rejected. */
async function createOneByOne(items: readonly Line[]) {
  const before = await readState()
  const send = (item: Line) => member.post('/api/bom/', removeEmptyFields(item))
  if (items.some(hasInvalidField)) {
    const errors = items.map(async (item) => (hasInvalidField(item) ? (await send(item)).body : {}))
    return { status: 400, body: { items: await Promise.all(errors) }, state: before }
  }
  const created: Line[] = []
  for (const [index, item] of items.entries()) {
    const duplicates = await service.rows('select from bom_item where part = $1 and sub_part = $2', [item.part, item.sub_part])
    if (duplicates.length > 0) continue
    const { status, body } = await send(item)
    if (status !== 201) return { status, body: { items: [...Array.from({ length: index }, () => ({})), body] }, state: before }
    created.push(body)
  }
  return { status: 201, body: { items: created }, state: await readState() }
}

const removeKeys = (body: { items?: Line[] }) => ({ ...body, items: body.items?.map(({ pk: _, ...line }) => line) })

describe('POST /api/bom/import/submit/', () => {
  it('gives the same response and result as creating the lines one by one', async () => {
    const outcomes = new Set<string>()
    const createLine = (part: string, sub_part: string, quantity: unknown = 1) => ({
      part: parts[part],
      sub_part: parts[sub_part],
      quantity,
    })
    const examples: [Line[], Line[]][] = [
      // a fraction of a component that becomes trackable afterwards, and of one that already is
      [
        [],
        [createLine('Drum', 'Wire'), createLine('Cable', 'Drum', '0.5'), createLine('Drum', 'Chip'), createLine('Case', 'Cable')],
      ],
      [[], [createLine('Drum', 'Chip'), createLine('Cable', 'Drum', '0.5'), createLine('Drum', 'Cable')]],
      [
        [createLine('Case', 'Cable')],
        [
          createLine('Cable', 'Wire', '0.5'),
          createLine('Cable', 'Drum'),
          createLine('Drum', 'Case'),
          createLine('Board', 'Wire'),
        ],
      ],
    ]
    await fc.assert(
      fc.asyncProperty(lines, lines, async (existing, items) => {
        await reset(existing.slice(0, 3))
        const expected = await createOneByOne(items)
        await reset(existing.slice(0, 3))
        const { status, body } = await member.post(SUBMIT, { items })
        assert.deepEqual([status, removeKeys(body)], [expected.status, removeKeys(expected.body)])
        assert.deepEqual(await readState(), expected.state)
        outcomes.add(status === 201 ? 'created' : JSON.stringify(body.items.at(-1)))
      }),
      { numRuns: RUNS, examples },
    )
    for (const kind of ['created', 'contain', 'whole number'])
      assert.ok(
        [...outcomes].some((text) => text.includes(kind)),
        kind,
      )
  })

  const countRoundTrips = createRoundTripCounter(service.pool)
  /** Creates lines of one board, each with its own component; `lastLineFields` are added to the last one. */
  async function createLines(count: number, lastLineFields: Line = {}): Promise<Line[]> {
    await reset([])
    await service.rows(
      `insert into part (name, component) select 'Wire ' || n, true from generate_series(1, $1::integer) n on conflict do nothing`,
      [count],
    )
    // as autovacuum would have done by then: plans made for nine parts scan all parts for each line
    await service.rows('analyze part, part_quantity')
    const wires = await service.rows(`select pk from part where name like 'Wire _%' order by pk limit $1`, [count])
    return wires.map(({ pk }, index) => ({
      part: parts.Board,
      sub_part: pk,
      quantity: index + 1,
      ...(index === count - 1 ? lastLineFields : {}),
    }))
  }
  async function countSubmitRoundTrips(items: Line[], status: number): Promise<number> {
    return countRoundTrips(async () => {
      const response = await member.post(SUBMIT, { items })
      assert.equal(response.status, status, JSON.stringify(response.body).slice(-300))
    })
  }

  it('needs the same number of statements for thousands of lines as for a few', async () => {
    await countSubmitRoundTrips(await createLines(2), 201)
    const roundTripsForFew = await countSubmitRoundTrips(await createLines(10), 201)
    assert.equal(await countSubmitRoundTrips(await createLines(2_000), 201), roundTripsForFew)
    assert.ok(roundTripsForFew <= 18, `${roundTripsForFew} times`)
  })

  it('finds the rejected line without creating each line by itself', async () => {
    const roundTripCount = await countSubmitRoundTrips(await createLines(1_000, { sub_part: parts['Small board'] }), 400)
    assert.ok(roundTripCount < 200, `${roundTripCount}`)
  })
})
