import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { fillStock, insertItem, parts } from './fixture.ts'

const service = await testService()
const { viewer } = service
beforeEach(() => fillStock(service))

const create = (serial: string, part = parts.board) => insertItem(service, { part, serial, quantity: '1' })
const readNeighbors = async (pk: number) => {
  const { next, previous } = (await viewer.get(`/api/stock/${pk}/serial-numbers/`)).body
  return [previous?.serial ?? null, next?.serial ?? null]
}

describe('GET /api/stock/{id}/serial-numbers/', () => {
  it('returns the items before and after it, among the template and its variants', async () => {
    const nine = await create('9')
    const ten = await create('10', parts.blueBoard)
    const last = await create('12', parts.redBoard)
    await create('11', parts.lamp)
    assert.deepEqual(await readNeighbors(nine), [null, '10'])
    assert.deepEqual(await readNeighbors(ten), ['9', '12'])
    assert.deepEqual(await readNeighbors(last), ['10', null])
    const { next } = (await viewer.get(`/api/stock/${nine}/serial-numbers/`)).body
    assert.deepEqual(next, (await viewer.get(`/api/stock/${ten}/`)).body)
  })

  it('orders numbers of the same value', async () => {
    const [first, second] = [await create('A-7'), await create('B-7')]
    assert.deepEqual(await readNeighbors(first), [null, 'B-7'])
    assert.deepEqual(await readNeighbors(second), ['A-7', null])
  })

  it('returns none for an item without a serial number, and 404 for an unknown one', async () => {
    assert.deepEqual(await readNeighbors(await insertItem(service)), [null, null])
    assert.equal((await viewer.get('/api/stock/999999/serial-numbers/')).status, 404)
  })

  it('requires the permission to view stock or build orders', async () => {
    const pk = await create('1')
    await assertCallers(service, (client) => client.get(`/api/stock/${pk}/serial-numbers/`), ['viewer', 'member', 'superuser'])
  })
})
