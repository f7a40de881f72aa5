import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { waitForStableDay } from '../../../testing/period-boundary.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { supplier, supplierPart } = createPurchaseHelpers(service)
const { member } = service

let number = 0
const createOrder = async (): Promise<number> => {
  const response = await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: await supplier() })
  assert.equal(response.status, 201, response.text)
  return response.body.pk
}
const createWithLine = async () => {
  const order = await createOrder()
  const { supplier: company } = await readOrder(order)
  const part = await supplierPart(company)
  const line = await member.post('/api/order/po-line/', { order, part, quantity: 4, purchase_price: '2' })
  assert.equal(line.status, 201, line.text)
  return { order, line: line.body.pk as number, part }
}
const readOrder = async (pk: number) => (await member.get(`/api/order/po/${pk}/`)).body
const act = (pk: number, action: string, body: object = {}) => member.post(`/api/order/po/${pk}/${action}/`, body)
const createWithStatus = async (status: number) => {
  const pk = await createOrder()
  await service.rows('update purchase_order set status = $2 where pk = $1', [pk, status])
  return pk
}

/** Asserts that the action is rejected for each of these statuses, with the reason, and changes nothing. */
const assertRejectedIn = async (states: number[], action: string, body: object = {}) => {
  for (const state of states) {
    const pk = await createWithStatus(state)
    const before = await readOrder(pk)
    const { status, body: response } = await act(pk, action, body)
    assert.equal(status, 400, `${action} with status ${state}`)
    assert.equal(response.non_field_errors.length, 1)
    assert.deepEqual(await readOrder(pk), before)
  }
}

describe('POST /api/order/po/{id}/issue/', () => {
  it('places a pending order, dated today', async () => {
    const today = await waitForStableDay()
    const pk = await createOrder()
    const response = await act(pk, 'issue')
    assert.deepEqual([response.status, response.body], [201, {}])
    const { status, status_text, issue_date } = await readOrder(pk)
    assert.deepEqual([status, status_text, issue_date], [20, 'Placed', today])
  })

  it('rejects any other status', () => assertRejectedIn([20, 30, 40, 50, 60], 'issue'))

  it('lets one of several concurrent requests place the order', async () => {
    const pk = await createOrder()
    const responses = await Promise.all(Array.from({ length: 8 }, () => act(pk, 'issue')))
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400, 400, 400])
  })

  it('returns 404 for an unknown order', async () => assert.equal((await act(999_999, 'issue')).status, 404))

  it('requires the permission to add purchase orders', async () => {
    const pk = await createOrder()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/po/${pk}/issue/`),
      ['member', 'superuser'],
      () => readOrder(pk),
    )
  })
})

describe('POST /api/order/po/{id}/complete/', () => {
  it('completes a placed order that was received in full', async () => {
    const today = await waitForStableDay()
    const { order } = await createWithLine()
    await act(order, 'issue')
    await service.rows('update purchase_order_line set received = quantity where "order" = $1', [order])
    const response = await act(order, 'complete')
    assert.deepEqual([response.status, response.body], [201, { accept_incomplete: false }])
    const { status, complete_date, completed_lines } = await readOrder(order)
    assert.deepEqual([status, complete_date, completed_lines], [30, today, 1])
  })

  it('requires accept_incomplete while goods are outstanding or there is no line', async () => {
    const { order, line } = await createWithLine()
    const empty = await createOrder()
    for (const pk of [order, empty]) {
      await act(pk, 'issue')
      const rejection = await act(pk, 'complete')
      assert.deepEqual([rejection.status, Object.keys(rejection.body)], [400, ['accept_incomplete']])
      assert.equal((await readOrder(pk)).status, 20)
      assert.deepEqual((await act(pk, 'complete', { accept_incomplete: true })).body, { accept_incomplete: true })
    }
    assert.equal((await member.get(`/api/order/po-line/${line}/`)).body.received, 0, 'outstanding goods are not received')
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  it('rejects any other status', () => assertRejectedIn([10, 30, 40, 50, 60], 'complete', { accept_incomplete: true }))

  it('validates its body strictly', async () => {
    const response = await act(await createOrder(), 'complete', { accept_incomplete: 'perhaps' })
    assert.deepEqual([response.status, Object.keys(response.body)], [400, ['accept_incomplete']])
  })

  it('requires the permission to add purchase orders', async () => {
    const pk = await createOrder()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/po/${pk}/complete/`),
      ['member', 'superuser'],
      () => readOrder(pk),
    )
  })
})

describe('POST /api/order/po/{id}/cancel/', () => {
  it('cancels a pending or a placed order', async () => {
    for (const state of [10, 20]) {
      const pk = await createWithStatus(state)
      assert.deepEqual((await act(pk, 'cancel')).body, {})
      const { status, complete_date } = await readOrder(pk)
      assert.deepEqual([status, complete_date], [40, null])
    }
  })

  it('leaves none of its goods on order', async () => {
    const { order, part } = await createWithLine()
    const readOrdered = async () =>
      (
        await service.rows(
          'select ordering::float from part_quantity where pk = (select part from supplier_part where pk = $1)',
          [part],
        )
      )[0]
    assert.deepEqual(await readOrdered(), { ordering: 4 })
    await act(order, 'cancel')
    assert.deepEqual(await readOrdered(), { ordering: 0 })
  })

  it('rejects any other status', () => assertRejectedIn([30, 40, 50, 60], 'cancel'))

  it('returns 404 for an unknown order', async () => assert.equal((await act(999_999, 'cancel')).status, 404))

  it('requires the permission to add purchase orders', async () => {
    const pk = await createOrder()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/po/${pk}/cancel/`),
      ['member', 'superuser'],
      () => readOrder(pk),
    )
  })
})

describe('If-Match of an action', () => {
  it('rejects an action on an order that has changed since it was read', async () => {
    const { order, line } = await createWithLine()
    const url = `/api/order/po/${order}/`
    const oldEtag = String((await member.get(url)).headers.etag)
    await member.patch(url, { notes: 'changed meanwhile' })
    const before = await readOrder(order)
    const receipt = { items: [{ line_item: line, quantity: 1 }], location: null }
    for (const [action, body] of Object.entries({ issue: {}, receive: receipt, complete: {}, cancel: {} }))
      assert.equal((await member.post(`${url}${action}/`, body, { 'if-match': oldEtag })).status, 412, action)
    assert.deepEqual(await readOrder(order), before)
    const etag = String((await member.get(url)).headers.etag)
    assert.equal((await member.post(`${url}issue/`, {}, { 'if-match': etag })).status, 201)
  })
})
