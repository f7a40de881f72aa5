import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { building } from '../../testing/objects/building.ts'
import { testService } from '../../testing/service.ts'
import { assertAccounts, fillStock } from '../stock/fixture.ts'

const service = await testService()
const { member, superuser } = service
const { part, build, bom, linesOf, stock, act, allocate, begin, assertSums } = building(service)
beforeEach(() => fillStock(service))
afterEach(async () => {
  await assertSums()
  await assertAccounts(service)
})

const codeOf = (item: number) => `{"stockitem": ${item}}`

/** Scans an item for a build order and returns the response. */
async function scan(of: number, item: number, more: object = {}): Promise<any> {
  const entry = { id: crypto.randomUUID(), time: new Date().toISOString(), action: 'build-allocate', barcode: codeOf(item) }
  const { status, body, text } = await member.post('/api/barcode/batch/', { items: [{ ...entry, build: of, ...more }] })
  assert.equal(status, 200, text)
  return body.items[0]
}
const undo = (history: number, client = member) => client.post(`/api/barcode/history/${history}/undo/`)

/** Returns the allocations of a build order: line, item, quantity and output. */
const putBy = (of: number) =>
  service
    .rows(
      `select build_line, stock_item, quantity::float, install_into from build_allocation
       where build_line in (select pk from build_line where build = $1) order by pk`,
      [of],
    )
    .then((rows) => rows.map((row: object) => Object.values(row)))

function assertRefused(answer: any, error: string) {
  assert.deepEqual([answer.status, answer.body.error], [400, error], JSON.stringify(answer))
}

/** Creates a build order for two chairs with four legs each, for which a variant or a substitute is allowed. */
async function chairs() {
  const chair = await part({ assembly: true })
  const leg = await part({ is_template: true })
  const carved = await part({ variant_of: leg })
  const peg = await part()
  const bomItem = await bom(chair, leg, 4, { allow_variants: true })
  const made = await member.post('/api/bom/substitute/', { bom_item: bomItem, part: peg })
  assert.equal(made.status, 201, made.text)
  const pk = await build(chair, 2)
  const [{ pk: line }] = await linesOf(pk)
  return { pk, chair, leg, carved, peg, line: line as number }
}

/** Creates a build order for two robots, with one brain each. */
async function robots() {
  const robot = await part({ assembly: true, trackable: true })
  const brain = await part({ trackable: true })
  await bom(robot, brain, 1)
  const pk = await build(robot, 2)
  const [{ pk: line }] = await linesOf(pk)
  return { pk, brain, line: line as number }
}

describe('A scan that allocates stock to a build order', () => {
  it("allocates at most the line's shortage and the item's available quantity", async () => {
    const { pk, leg, line } = await chairs()
    const [few, many] = [await stock(leg, 3), await stock(leg, 20)]
    const first = await scan(pk, few)
    assert.equal(first.status, 201, JSON.stringify(first))
    const { stock_item, build_line, output, quantity } = first.body
    assert.deepEqual([stock_item, build_line, output, quantity], [few, line, null, '3'])
    assertRefused(await scan(pk, few), 'The stock item is already fully allocated')
    assertRefused(await scan(pk, many, { quantity: 6 }), 'The line needs only 5 more')
    assert.equal((await scan(pk, many, { quantity: 1 })).body.quantity, '1')
    assert.equal((await scan(pk, many)).body.quantity, '4')
    assertRefused(await scan(pk, many), 'The build order already has enough of this part')
    assert.deepEqual(await putBy(pk), [
      [line, few, 3, null],
      [line, many, 5, null],
    ])
  })

  it('accepts a variant or a substitute for a line that allows it, and prefers the line of the part itself', async () => {
    const { pk, chair, carved, peg, line } = await chairs()
    await scan(pk, await stock(carved, 1))
    await scan(pk, await stock(peg, 1))
    assert.deepEqual(
      (await putBy(pk)).map(([of]) => of),
      [line, line],
    )
    await bom(chair, peg, 1)
    const [, own] = await linesOf(pk)
    const box = await stock(peg, 9)
    assert.deepEqual([(await scan(pk, box)).body.build_line, (await scan(pk, box)).body.build_line], [own.pk, line])
    assertRefused(await scan(pk, await stock(peg, 1)), 'The build order already has enough of this part')
  })

  it('requires the line if several match', async () => {
    const { pk, chair, leg, line } = await chairs()
    await bom(chair, leg, 1, { reference: 'spare' })
    const [, spare] = await linesOf(pk)
    const item = await stock(leg, 50)
    const asked = await scan(pk, item)
    assertRefused(asked, 'Multiple matching line items found')
    assert.deepEqual([asked.body.candidates, asked.body.action_required], [[line, spare.pk], true])
    assert.equal((await scan(pk, item, { build_line: spare.pk })).body.quantity, '2')
    // only one is left
    assert.deepEqual((await scan(pk, item)).body.build_line, line)
  })

  it('allocates a tracked part to an output, and requires it if several match', async () => {
    const { pk, brain, line } = await robots()
    const [one, two, three] = [await stock(brain, 1), await stock(brain, 1), await stock(brain, 1)]
    assertRefused(await scan(pk, one), 'A tracked part is allocated to an output of the build order, which has none yet')
    const [first] = await begin(pk, 1, { serial_numbers: '1' })
    const only = await scan(pk, one)
    assert.equal(only.body.output, first)
    assertRefused(await scan(pk, two), 'Every output of the build order already has enough of this part')
    assert.equal((await undo(only.history)).status, 201)
    const [second] = await begin(pk, 1, { serial_numbers: '2' })
    const asked = await scan(pk, one)
    assertRefused(asked, 'Not enough information')
    assert.deepEqual([asked.body.candidates, asked.body.build_line], [[first, second], line])
    await scan(pk, one, { output: second })
    await scan(pk, two)
    assert.deepEqual(await putBy(pk), [
      [line, one, 1, second],
      [line, two, 1, first],
    ])
    assertRefused(await scan(pk, three), 'The build order already has enough of this part')
  })

  it('rejects a part that the order does not need, stock that is not on hand, consumables and closed orders', async () => {
    const { pk, chair, leg } = await chairs()
    assertRefused(await scan(pk, await stock(await part(), 5)), 'No line of the build order needs this part')
    const gone = await stock(leg, 5)
    await service.rows('update stock_item set belongs_to = $2, location = null where pk = $1', [gone, await stock(leg, 1)])
    assertRefused(await scan(pk, gone), 'The stock item is not in stock')
    const glue = await part()
    await bom(chair, glue, 1, { consumable: true })
    assertRefused(await scan(pk, await stock(glue, 5)), 'Stock cannot be allocated for consumables')
    assertRefused(await scan(pk, 99_999), 'No match found for barcode data')
    assert.equal((await act(pk, 'cancel')).status, 201)
    const late = await scan(pk, await stock(leg, 5))
    assert.deepEqual([late.status, late.body.build], [400, ['The build order is complete or cancelled']])
    assert.deepEqual(await putBy(pk), [])
  })

  it('requires the right to add to build orders', async () => {
    const { pk, leg } = await chairs()
    const items = [
      { id: 'a', time: new Date().toISOString(), action: 'build-allocate', barcode: codeOf(await stock(leg, 1)), build: pk },
    ]
    const { body } = await service.nobody.post('/api/barcode/batch/', { items })
    assert.equal(body.items[0].status, 403)
    assert.deepEqual(await putBy(pk), [])
  })

  it('never allocates more than required for concurrent scans', async () => {
    const { pk, leg, line } = await chairs()
    const items = await Promise.all([3, 3, 3, 3].map((quantity) => stock(leg, quantity)))
    const answers = await Promise.all([...items, ...items].map((item) => scan(pk, item)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    const rows = await putBy(pk)
    assert.equal(
      rows.reduce((sum, [, , quantity]) => sum + Number(quantity), 0),
      8,
    )
    assert.ok(rows.every(([of]) => of === line))
  })

  it('can be undone once, which keeps earlier allocations of the item', async () => {
    const { pk, leg, line } = await chairs()
    const item = await stock(leg, 20)
    assert.equal((await allocate(pk, line, item, 2)).status, 201)
    const { history } = await scan(pk, item)
    assert.deepEqual(await putBy(pk), [[line, item, 8, null]])
    assert.equal((await undo(history)).status, 201)
    assert.deepEqual(await putBy(pk), [[line, item, 2, null]])
    assert.equal((await undo(history)).status, 400)
    const { pk: other, leg: another } = await chairs()
    const all = await scan(other, await stock(another, 4))
    assert.equal((await undo(all.history, superuser)).status, 201)
    assert.deepEqual(await putBy(other), [])
  })

  it('cannot be undone once it was changed or removed', async () => {
    const { pk, leg, line } = await chairs()
    const item = await stock(leg, 20)
    const { history } = await scan(pk, item, { quantity: 2 })
    await allocate(pk, line, item, 1)
    const changed = await undo(history)
    assert.equal(changed.status, 400)
    assert.match(changed.text, /is 3.0* instead of 2/)
    await act(pk, 'unallocate')
    const gone = await undo(history)
    assert.match(gone.text, /no longer exists/)
    assert.deepEqual(await putBy(pk), [])
  })
})
