import assert from 'node:assert/strict'
import { afterEach, before, beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { allowAnyInstallation, assertHistorySums, fillStock, insertItem, locations, parts, readHistory } from './fixture.ts'

const service = await testService()
const { member } = service
before(() => allowAnyInstallation(service))
beforeEach(() => fillStock(service))
afterEach(() => assertHistorySums(service))

const path = '/api/stock/'
const readAllRows = () =>
  service.rows('select * from stock_item item left join stock_tracking entry on entry.item = item.pk order by item.pk, entry.pk')
const readTypes = async (pk: number) =>
  (await service.rows('select tracking_type from stock_tracking where item = $1 order by pk', [pk])).map(
    (row) => row.tracking_type,
  )
const [COUNTED, MOVED, EDITED] = [10, 20, 5]

for (const method of ['PATCH', 'PUT'])
  describe(`${method} /api/stock/`, () => {
    const change = (body: object) => member.send(method, path, body)

    it('changes the given fields of each item and returns them in the order of the body', async () => {
      const pks = [await insertItem(service, { batch: 'A' }), await insertItem(service)]
      const { status, body } = await change({ items: pks.toReversed(), batch: 'B', packaging: 'Reel' })
      assert.equal(status, 200)
      assert.deepEqual(
        body.items.map((item: { pk: number; batch: string; packaging: string; quantity: number }) => [
          item.pk,
          item.batch,
          item.packaging,
          item.quantity,
        ]),
        pks.toReversed().map((pk) => [pk, 'B', 'Reel', 10]),
      )
    })

    it('counts a quantity and transfers to a location, each with its history', async () => {
      const pks = [await insertItem(service), await insertItem(service, { location: locations.box })]
      const { status, body } = await change({ items: pks, quantity: 7, location: locations.box, status: 50 })
      assert.deepEqual([status, body.items.map((item: { quantity: number }) => item.quantity)], [200, [7, 7]])
      assert.deepEqual(await readTypes(pks[0] as number), [COUNTED, MOVED, EDITED])
      // it was there already
      assert.deepEqual(await readTypes(pks[1] as number), [COUNTED, EDITED])
      assert.deepEqual((await readHistory(service, pks[0] as number)).at(-1), [EDITED, { status: 50 }])
    })

    it('releases an item from its location', async () => {
      const pk = await insertItem(service)
      const { body } = await change({ items: [pk], location: null })
      assert.equal(body.items[0].location, null)
      assert.deepEqual(await readTypes(pk), [EDITED])
    })

    it('leaves out items that a count of zero deletes', async () => {
      const pks = [
        await insertItem(service, { delete_on_deplete: true }),
        await insertItem(service, { delete_on_deplete: false }),
      ]
      const { status, body } = await change({ items: pks, quantity: 0, batch: 'X' })
      assert.deepEqual([status, body.items.map((item: { pk: number }) => item.pk)], [200, [pks[1]]])
    })

    it('rejects invalid requests, and changes nothing', async () => {
      const pks = [await insertItem(service), await insertItem(service, { part: parts.lamp, quantity: '1', serial: '7' })]
      const before = await readAllRows()
      const cases: [body: object, field: string, text?: RegExp][] = [
        [{}, 'non_field_errors'],
        [{ items: [] }, 'non_field_errors'],
        [{ items: 'x' }, 'non_field_errors'],
        [{ items: ['a'], batch: 'B' }, 'non_field_errors'],
        [{ items: [true], batch: 'B' }, 'non_field_errors'],
        [{ items: Array.from({ length: 1001 }, (_, index) => index), batch: 'B' }, 'non_field_errors'],
        [{ items: [...pks, 99999], batch: 'B' }, 'non_field_errors', /99999/],
        [{ items: pks, part: null }, 'part'],
        [{ items: pks, location: locations.house, batch: 'B' }, 'location'],
        [{ items: pks, location: 99999 }, 'location'],
        [{ items: pks, quantity: -1 }, 'quantity'],
        [{ items: pks, quantity: 'x' }, 'quantity'],
        // the second has a serial number
        [{ items: pks, batch: 'B', quantity: 3 }, 'quantity'],
      ]
      for (const [body, field, text] of cases) {
        const response = await change(body)
        assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
        if (text) assert.match(response.text, text)
      }
      const all = await member.send(method, `${path}?all=true`, { items: pks, batch: 'B' })
      assert.deepEqual([all.status, Object.keys(all.body)], [400, ['non_field_errors']])
      assert.deepEqual(await readAllRows(), before)
    })

    it('requires the right to change stock', async () => {
      const pk = await insertItem(service)
      await assertCallers(
        service,
        (client) => client.send(method, path, { items: [pk], batch: 'C' }),
        ['member', 'superuser'],
        readAllRows,
      )
    })

    it('serializes concurrent requests for the same items', async () => {
      const pks = [await insertItem(service), await insertItem(service), await insertItem(service)]
      const responses = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          change({
            items: index % 2 ? pks : pks.toReversed(),
            quantity: index + 1,
            location: index % 2 ? locations.box : locations.shelf,
          }),
        ),
      )
      assert.deepEqual(
        responses.map(({ status }) => status),
        Array.from({ length: 6 }, () => 200),
      )
      const rows = await service.rows('select distinct quantity, location from stock_item')
      assert.equal(rows.length, 1, 'all items have the values of the last request')
      assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
    })
  })
