import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { purchasing } from '../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { steadyDay } from '../../../testing/steady.ts'

const service = await testService()
const { supplier, supplierPart } = purchasing(service)
const { member } = service

let number = 0
const make = async (): Promise<number> => {
  const answer = await member.post('/api/order/po/', { reference: `PO-${++number}`, supplier: await supplier() })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.pk
}
const makeWithLine = async () => {
  const order = await make()
  const { supplier: company } = await now(order)
  const part = await supplierPart(company)
  const line = await member.post('/api/order/po-line/', { order, part, quantity: 4, purchase_price: '2' })
  assert.equal(line.status, 201, line.text)
  return { order, line: line.body.pk as number, part }
}
const now = async (pk: number) => (await member.get(`/api/order/po/${pk}/`)).body
const act = (pk: number, action: string, body: object = {}) => member.post(`/api/order/po/${pk}/${action}/`, body)
const inState = async (status: number) => {
  const pk = await make()
  await service.rows('update purchase_order set status = $2 where pk = $1', [pk, status])
  return pk
}

/** Asserts that the action is rejected in each of these states, with the reason, and changes nothing. */
const assertRefusedIn = async (states: number[], action: string, body: object = {}) => {
  for (const state of states) {
    const pk = await inState(state)
    const before = await now(pk)
    const { status, body: answer } = await act(pk, action, body)
    assert.equal(status, 400, `${action} in state ${state}`)
    assert.equal(answer.non_field_errors.length, 1)
    assert.deepEqual(await now(pk), before)
  }
}

describe('POST /api/order/po/{id}/issue/', () => {
  it('places a pending order, dated today', async () => {
    const today = await steadyDay()
    const pk = await make()
    const answer = await act(pk, 'issue')
    assert.deepEqual([answer.status, answer.body], [201, {}])
    const { status, status_text, issue_date } = await now(pk)
    assert.deepEqual([status, status_text, issue_date], [20, 'Placed', today])
  })

  it('rejects any other state', () => assertRefusedIn([20, 30, 40, 50, 60], 'issue'))

  it('lets one of several concurrent requests place the order', async () => {
    const pk = await make()
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(pk, 'issue')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 400, 400, 400, 400, 400, 400, 400])
  })

  it('returns 404 for an unknown order', async () => assert.equal((await act(999_999, 'issue')).status, 404))

  it('requires the right to add purchase orders', async () => {
    const pk = await make()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/po/${pk}/issue/`),
      ['member', 'superuser'],
      () => now(pk),
    )
  })
})

describe('POST /api/order/po/{id}/complete/', () => {
  it('completes a placed order that was received in full', async () => {
    const today = await steadyDay()
    const { order } = await makeWithLine()
    await act(order, 'issue')
    await service.rows('update purchase_order_line set received = quantity where "order" = $1', [order])
    const answer = await act(order, 'complete')
    assert.deepEqual([answer.status, answer.body], [201, { accept_incomplete: false }])
    const { status, complete_date, completed_lines } = await now(order)
    assert.deepEqual([status, complete_date, completed_lines], [30, today, 1])
  })

  it('requires accept_incomplete while goods are outstanding or there is no line', async () => {
    const { order, line } = await makeWithLine()
    const empty = await make()
    for (const pk of [order, empty]) {
      await act(pk, 'issue')
      const refused = await act(pk, 'complete')
      assert.deepEqual([refused.status, Object.keys(refused.body)], [400, ['accept_incomplete']])
      assert.equal((await now(pk)).status, 20)
      assert.deepEqual((await act(pk, 'complete', { accept_incomplete: true })).body, { accept_incomplete: true })
    }
    assert.equal((await member.get(`/api/order/po-line/${line}/`)).body.received, 0, 'what is missing is not filled in')
    assert.deepEqual(await service.rows('select * from verify_quantities()'), [])
  })

  it('rejects any other state', () => assertRefusedIn([10, 30, 40, 50, 60], 'complete', { accept_incomplete: true }))

  it('validates its body strictly', async () => {
    const answer = await act(await make(), 'complete', { accept_incomplete: 'perhaps' })
    assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['accept_incomplete']])
  })

  it('requires the right to add purchase orders', async () => {
    const pk = await make()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/po/${pk}/complete/`),
      ['member', 'superuser'],
      () => now(pk),
    )
  })
})

describe('POST /api/order/po/{id}/cancel/', () => {
  it('cancels a pending or a placed order', async () => {
    for (const state of [10, 20]) {
      const pk = await inState(state)
      assert.deepEqual((await act(pk, 'cancel')).body, {})
      const { status, complete_date } = await now(pk)
      assert.deepEqual([status, complete_date], [40, null])
    }
  })

  it('leaves nothing of it on order', async () => {
    const { order, part } = await makeWithLine()
    const ordering = async () =>
      (
        await service.rows(
          'select ordering::float from part_quantity where pk = (select part from supplier_part where pk = $1)',
          [part],
        )
      )[0]
    assert.deepEqual(await ordering(), { ordering: 4 })
    await act(order, 'cancel')
    assert.deepEqual(await ordering(), { ordering: 0 })
  })

  it('rejects any other state', () => assertRefusedIn([30, 40, 50, 60], 'cancel'))

  it('returns 404 for an unknown order', async () => assert.equal((await act(999_999, 'cancel')).status, 404))

  it('requires the right to add purchase orders', async () => {
    const pk = await make()
    await assertCallers(
      service,
      (client) => client.post(`/api/order/po/${pk}/cancel/`),
      ['member', 'superuser'],
      () => now(pk),
    )
  })
})

describe('If-Match of an action', () => {
  it('rejects an action on an order that has changed since', async () => {
    const { order, line } = await makeWithLine()
    const at = `/api/order/po/${order}/`
    const read = String((await member.get(at)).headers.etag)
    await member.patch(at, { notes: 'changed meanwhile' })
    const before = await now(order)
    const receipt = { items: [{ line_item: line, quantity: 1 }], location: null }
    for (const [action, body] of Object.entries({ issue: {}, receive: receipt, complete: {}, cancel: {} }))
      assert.equal((await member.post(`${at}${action}/`, body, { 'if-match': read })).status, 412, action)
    assert.deepEqual(await now(order), before)
    const seen = String((await member.get(at)).headers.etag)
    assert.equal((await member.post(`${at}issue/`, {}, { 'if-match': seen })).status, 201)
  })
})
