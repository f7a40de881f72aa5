import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { fillStock, insertItem, locations, parts } from '../stock/fixture.ts'

const service = await testService()
const { member } = service
beforeEach(async () => {
  await fillStock(service)
  await service.pool.query('update part set is_template = true where trackable')
})

const { board, blueBoard, redBoard } = parts
const changeTemplate = (part: number, variant_of: number | null) => member.patch(`/api/part/${part}/`, { variant_of })

describe('PATCH /api/part/{id}/ with another template', () => {
  test('rejects serial numbers that would be used twice among the variants', async () => {
    assert.equal((await changeTemplate(blueBoard, null)).status, 200)
    assert.equal((await changeTemplate(redBoard, blueBoard)).status, 200)
    await insertItem(service, { part: board, quantity: 1, serial: '5' })
    const item = await insertItem(service, { part: redBoard, quantity: 1, serial: '5' })
    // its variant brings the serial number along
    const rejection = await changeTemplate(blueBoard, board)
    assert.deepEqual(
      [rejection.status, rejection.body],
      [400, { variant_of: ['Two of the variants would have the serial number 5.'] }],
    )
    assert.equal((await changeTemplate(blueBoard, parts.lamp)).status, 200)
    assert.equal((await changeTemplate(redBoard, parts.lamp)).status, 200)
    assert.equal((await member.patch(`/api/stock/${item}/`, { serial: '6' })).status, 200)
    assert.equal((await changeTemplate(redBoard, board)).status, 200)
  })

  test('runs concurrently with serializing: rejects no request, and uses no serial number twice', async () => {
    for (let index = 0; index < 6; index++)
      await insertItem(service, { part: [board, blueBoard, redBoard][index % 3], quantity: 100, location: locations.shelf })
    const runClient = async (index: number) => {
      for (let round = 0; round < 4; round++) {
        const response =
          index % 2
            ? await changeTemplate(blueBoard, [board, redBoard, null][(index + round) % 3] as number | null)
            : await member.post(`/api/stock/${1 + ((index + round) % 6)}/serialize/`, {
                quantity: 2,
                serial_numbers: '~+',
                destination: locations.shelf,
              })
        assert.ok([200, 201, 400].includes(response.status), response.text)
      }
    }
    await Promise.all(Array.from({ length: 24 }, (_, index) => runClient(index)))
    assert.deepEqual(
      await service.rows(
        `select path[1], serial from stock_item item join part on part.pk = item.part where serial <> '' group by 1, 2 having count(*) > 1`,
      ),
      [],
    )
    for (const check of ['verify_quantities', 'verify_trees'])
      assert.deepEqual(await service.rows(`select * from ${check}()`), [])
  })
})

describe('GET /api/part/?convert_from=', () => {
  test('lists the parts that converting accepts: the variants, the template directly above, and its other variants', async () => {
    assert.equal((await changeTemplate(blueBoard, null)).status, 200)
    assert.equal((await changeTemplate(board, blueBoard)).status, 200)
    assert.equal((await changeTemplate(parts.lamp, board)).status, 200)
    const listOptions = async (pk: number) =>
      (await member.get(`/api/part/?convert_from=${pk}&ordering=pk`)).body.results.map((row: { pk: number }) => row.pk)
    assert.deepEqual(await listOptions(blueBoard), [board, redBoard, parts.lamp].sort())
    // but not the part above its template
    assert.deepEqual(await listOptions(redBoard), [board, parts.lamp].sort())
  })
})
