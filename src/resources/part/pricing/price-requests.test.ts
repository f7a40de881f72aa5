import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { testService } from '../../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member } = service

const VARIANT_COUNT = 300

/**
 * A template with many variants, in a BOM line of one assembly that allows variants; another assembly uses a variant, and a third uses it as
 * a substitute, in a line inherited by its own variant.
 */
const parts: Record<string, number> = {}
before(async () => {
  const createPart = async (name: string, variant_of: string | null = null) => {
    const [{ pk }] = await service.rows(
      `insert into part (name, assembly, component, is_template, variant_of) values ($1, true, true, true, $2) returning pk`,
      [name, variant_of && parts[variant_of]],
    )
    parts[name] = pk
  }
  for (const name of ['Top', 'Template', 'Any', 'One', 'Instead', 'Screw']) await createPart(name)
  await createPart('Heir', 'Instead')
  await service.rows(`insert into part (name, variant_of) select 'Form ' || n, $1 from generate_series(1, $2::integer) n`, [
    parts.Template,
    VARIANT_COUNT,
  ])
  const [{ pk: form }] = await service.rows(`select pk from part where name = 'Form 1'`)
  await service.rows('insert into bom_item (part, sub_part, allow_variants) values ($1, $2, true)', [parts.Any, parts.Template])
  await service.rows('insert into bom_item (part, sub_part) values ($1, $2)', [parts.One, form])
  const [{ pk: line }] = await service.rows(
    'insert into bom_item (part, sub_part, inherited) values ($1, $2, true) returning pk',
    [parts.Instead, parts.Screw],
  )
  await service.rows('insert into bom_item_substitute (bom_item, part) values ($1, $2)', [line, form])
})
beforeEach(() => service.rows('delete from part_price_due'))

/** Returns the number of queued price recalculations, and their parts. */
async function readDuePrices(): Promise<{ times: number; parts: number[] }> {
  const [duePrices] = await service.rows(
    `select count(*)::int as times, coalesce(array_agg(distinct part order by part), '{}') as parts from part_price_due`,
  )
  return duePrices
}
const listKeys = async (where: string): Promise<number[]> =>
  (await service.rows(`select pk from part where ${where} order by pk`)).map(({ pk }) => pk)
const TEMPLATE_CONDITION = `(name = 'Template' or name like 'Form%')`

describe('PATCH /api/part/{id}/', () => {
  it('queues each affected part once when a template and its variants move', async () => {
    const { status } = await member.patch(`/api/part/${parts.Template}/`, { variant_of: parts.Top })
    assert.equal(status, 200)
    const { times, parts: duePrices } = await readDuePrices()
    assert.deepEqual(duePrices, await listKeys(`${TEMPLATE_CONDITION} or name in ('Top', 'Any', 'One', 'Instead', 'Heir')`))
    // the template moves in one statement, and its variants in another
    assert.ok(times <= 2 * duePrices.length, `${times} times for ${duePrices.length} parts`)
    await service.rows('delete from part_price_due')
    await member.patch(`/api/part/${parts.Template}/`, { variant_of: null })
    assert.ok((await readDuePrices()).parts.includes(parts.Top as number), 'the template that they leave is affected too')
  })
})

describe('prices affected by changes of many rows', () => {
  it('are queued once when many parts become inactive, and for the same parts as one by one', async () => {
    await service.rows(`update part set active = false where name like 'Form%'`)
    const { times, parts: batchParts } = await readDuePrices()
    assert.equal(times, batchParts.length)
    assert.deepEqual(batchParts, await listKeys(`${TEMPLATE_CONDITION} or name in ('Any', 'One', 'Instead', 'Heir')`))
    await service.rows('delete from part_price_due')
    for (const pk of await listKeys(`name like 'Form%'`)) await service.rows('update part set active = true where pk = $1', [pk])
    assert.deepEqual((await readDuePrices()).parts, batchParts)
  })

  it('are not queued for irrelevant changes', async () => {
    await service.rows(`update part set description = 'other', active = active`)
    await service.rows(`update bom_item set note = 'other', quantity = quantity`)
    await service.rows(`insert into part (name) select 'Alone ' || n from generate_series(1, 3) n`)
    await service.rows(`delete from part where name like 'Alone%'`)
    assert.deepEqual(await readDuePrices(), { times: 0, parts: [] })
  })

  it('are queued once when many BOM lines are added, changed and deleted, also for variants that inherit them', async () => {
    const own = await listKeys(`name in ('Top', 'Instead')`)
    const affected = await listKeys(`name in ('Top', 'Instead', 'Heir')`)
    for (const statement of [
      `insert into bom_item (part, sub_part, inherited, note) select assembly.pk, form.pk, assembly.name = 'Instead', 'many'
         from part assembly, part form where assembly.pk = any ($1::integer[]) and form.name like 'Form 1_'`,
      `update bom_item set quantity = 2 where note = 'many' and part = any ($1::integer[])`,
      `delete from bom_item where note = 'many' and part = any ($1::integer[])`,
    ]) {
      await service.rows(statement, [own])
      assert.deepEqual(await readDuePrices(), { times: affected.length, parts: affected }, statement)
      await service.rows('delete from part_price_due')
    }
  })

  it('are queued once when stock items are added or deleted together', async () => {
    await service.rows(
      `insert into stock_item (part, quantity, purchase_price, purchase_price_currency)
       select $1, 1, case when n > 1 then 2 end, 'EUR' from generate_series(1, 20) n`,
      [parts.Screw],
    )
    assert.deepEqual(await readDuePrices(), { times: 1, parts: [parts.Screw] })
    await service.rows('delete from part_price_due')
    await service.rows('delete from stock_item where purchase_price is null')
    assert.deepEqual(await readDuePrices(), { times: 0, parts: [] })
    await service.rows('delete from stock_item')
    assert.deepEqual(await readDuePrices(), { times: 1, parts: [parts.Screw] })
  })
})
