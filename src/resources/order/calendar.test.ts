import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../testing/objects/purchasing.ts'
import { assertCallers, PASSWORD, testService } from '../../testing/service.ts'

const service = await testService({ WIRE_FORM: 'inventree' })
const { supplier } = createPurchaseHelpers(service)
const { member } = service

/** Fetches the calendar as a calendar program does, and joins its folded lines. */
async function fetchCalendar(kind: string, query = '') {
  const response = await service.app.inject({
    url: `/api/order/calendar/${kind}/calendar.ics${query}`,
    headers: { authorization: `Basic ${btoa(`member:${PASSWORD}`)}` },
  })
  assert.equal(response.statusCode, 200, response.body)
  return {
    type: response.headers['content-type'],
    text: response.body,
    lines: response.body.replaceAll('\r\n ', '').split('\r\n'),
  }
}

const listTitles = ({ lines }: { lines: string[] }) =>
  lines.filter((line) => line.startsWith('SUMMARY:')).map((line) => line.slice(8))

describe('/api/order/calendar/', () => {
  it('has an entry for each open order with a target date, and with include_completed for closed ones', async () => {
    const company = await supplier()
    await service.rows(`update company set name = 'Wires, Nuts; Bolts' where pk = $1`, [company])
    const createOrder = async (fields: object) => (await member.post('/api/order/po/', { supplier: company, ...fields })).body
    const due = await createOrder({ target_date: '2031-02-28', description: 'Long, '.repeat(30) })
    await createOrder({})
    const closed = await createOrder({ target_date: '2030-01-31' })
    await member.post(`/api/order/po/${closed.pk}/cancel/`)

    const feed = await fetchCalendar('purchase-order')
    assert.equal(feed.type, 'text/calendar; charset=utf-8')
    assert.deepEqual(listTitles(feed), [`${due.reference} - Wires\\, Nuts\\; Bolts`])
    for (const line of [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'DTSTART;VALUE=DATE:20310228',
      `DESCRIPTION:${due.description.replaceAll(',', '\\,')}`,
    ])
      assert.ok(feed.lines.includes(line), line)
    assert.ok(feed.lines.some((line) => new RegExp(`^URL:http.*/order/purchase-order/${due.pk}/$`).test(line)))
    assert.ok(feed.text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75))
    assert.equal(listTitles(await fetchCalendar('purchase-order', '?include_completed=1')).length, 2)
  })

  it('exists for each type of order, and requires the permission to view it', async () => {
    for (const kind of ['sales-order', 'return-order']) assert.deepEqual(listTitles(await fetchCalendar(kind)), [])
    const path = '/api/order/calendar/sales-order/calendar.ics'
    await assertCallers(service, (client) => client.get(path), ['viewer', 'member', 'superuser'])
  })
})
