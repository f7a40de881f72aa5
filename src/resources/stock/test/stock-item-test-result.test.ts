import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createFilesFolder } from '../../../testing/files.ts'
import { assertCallers, testService } from '../../../testing/service.ts'
import { fillStock, insertItem, locations, parts } from '../fixture.ts'

const service = await testService({ DATA_DIR: createFilesFolder().dataDir })
const { member } = service
const PATH = '/api/stock/test/'

let item: number
let paint: number
let load: number
beforeEach(async () => {
  await fillStock(service)
  item = await insertItem(service, { part: parts.blueBoard, quantity: 1, serial: 'B1' })
  const created = await service.rows(
    `insert into part_test_template (part, test_name, key, description, required, requires_value)
     values ($1, 'Paint', 'paint', 'Is dry', true, false), ($1, 'Load', 'load', 'In kg', false, true) returning pk`,
    [parts.board],
  )
  ;[paint, load] = created.map(({ pk }) => pk) as [number, number]
})

const createResult = async (body: object, status = 201) => {
  const response = await member.post(PATH, { stock_item: item, ...body })
  assert.equal(response.status, status, response.text)
  return response.body
}
const readKeys = async (query: string) => (await member.get(`${PATH}?${query}`)).body.results.map(({ pk }: { pk: number }) => pk)

describe('POST /api/stock/test/', () => {
  it('stores a result under the account of the caller', async () => {
    const { pk, date, ...rest } = await createResult({
      template: paint,
      result: true,
      notes: 'Two coats',
      user: service.getPk('viewer'),
    })
    assert.ok(Math.abs(Date.now() - Date.parse(date)) < 60_000)
    assert.deepEqual(rest, {
      stock_item: item,
      result: true,
      value: '',
      attachment: null,
      notes: 'Two coats',
      test_station: '',
      started_datetime: null,
      finished_datetime: null,
      user: service.getPk('member'),
      template: paint,
    })
  })

  it('reads a date as the start of that day', async () => {
    const { started_datetime } = await createResult({ template: paint, started_datetime: '2027-01-31' })
    assert.equal(started_datetime, '2027-01-31T00:00:00Z')
  })

  it('finds the test by name in the part and the templates above it', async () => {
    assert.equal((await createResult({ test: ' LO-AD ', value: '150' })).template, load)
    assert.equal((await service.rows('select from part_test_template')).length, 2)
  })

  it('creates a test with an unknown name, only once under concurrent requests', async () => {
    const created = await Promise.all([1, 2, 3, 4].map(() => createResult({ test: 'Firmware 2', result: true })))
    assert.equal(new Set(created.map(({ template }) => template)).size, 1)
    const tests = await service.rows(`select part, test_name from part_test_template where key = 'firmware2'`)
    assert.deepEqual(tests, [{ part: parts.blueBoard, test_name: 'Firmware 2' }])
  })

  it('rejects invalid results', async () => {
    await service.rows(`update part_test_template set requires_attachment = true where pk = $1`, [paint])
    const [red] = await service.rows(
      `insert into part_test_template (part, test_name, key, description) values ($1, 'Red', 'red', 'Is red') returning pk`,
      [parts.redBoard],
    )
    const screw = await insertItem(service)
    for (const [body, field] of [
      [{}, 'non_field_errors'],
      [{ template: null }, 'non_field_errors'],
      [{ template: load }, 'value'],
      [{ template: paint }, 'attachment'],
      [{ template: 999 }, 'template'],
      [{ template: red?.pk }, 'template'],
      [{ template: paint, stock_item: screw }, 'template'],
      [{ test: '--' }, 'test'],
      [{ test: 'Red' }, 'test'],
      [{ test: 'Firmware', stock_item: screw }, 'test'],
      [{ test: 'Firmware', stock_item: null }, 'stock_item'],
      [{ test: 'x'.repeat(101) }, 'test'],
      [{ test: '1'.repeat(100) }, 'test'],
      [{ template: load, value: '1', result: 'perhaps' }, 'result'],
      [{ template: load, value: '1', started_datetime: 'soon' }, 'started_datetime'],
      [
        { template: load, value: '1', started_datetime: '2024-03-19 02:00', finished_datetime: '2024-03-19 01:00' },
        'finished_datetime',
      ],
    ] as const)
      assert.deepEqual(Object.keys(await createResult(body, 400)), [field], JSON.stringify(body))
    assert.equal((await service.rows('select from stock_item_test_result')).length, 0)
  })

  it('requires permission to add stock', () =>
    assertCallers(
      service,
      (client) => client.post(PATH, { stock_item: item, template: paint }),
      ['member', 'superuser'],
      () => service.rows('select pk from stock_item_test_result'),
    ))

  it('stores a file with the result, and deletes it with the result', async () => {
    const created = await createResult({
      template: paint,
      attachment: `data:text/plain;name=log.txt,${encodeURIComponent('all well')}`,
    })
    const { pathname } = new URL(created.attachment)
    assert.match(pathname, /^\/media\/stock_files\//)
    assert.equal((await service.viewer.get(pathname)).text, 'all well')
    assert.equal((await service.anonymous.get(pathname)).status, 401)
    assert.equal((await member.delete(`${PATH}${created.pk}/`)).status, 204)
    assert.equal((await service.viewer.get(pathname)).status, 404)
  })
})

describe('GET /api/stock/test/', () => {
  it('filters, sorts and searches', async () => {
    await service.rows(`insert into build_order (pk, part, reference) overriding system value values (7, $1, 'BO-0007')`, [
      parts.lamp,
    ])
    const inner = await insertItem(service, { part: parts.lamp, quantity: 1, serial: 'L1' })
    const innermost = await insertItem(service, { part: parts.lamp, quantity: 1, serial: 'L2', belongs_to: inner, build: 7 })
    await service.rows('update stock_item set belongs_to = $1 where pk = $2', [item, inner])
    const first = (await createResult({ template: paint, result: true })).pk
    const second = (await createResult({ template: load, result: false, value: '90', test_station: 'Bench 2' })).pk
    const third = (await createResult({ stock_item: inner, test: 'Light', value: '300' })).pk
    const fourth = (await createResult({ stock_item: innermost, test: 'Light', result: true })).pk
    await service.rows('update part_test_template set enabled = false where pk = $1', [load])
    for (const [query, expected] of [
      ['', [first, second, third, fourth]],
      [`stock_item=${item}`, [first, second]],
      [`stock_item=${item}&include_installed=true`, [first, second, third, fourth]],
      [`stock_item=${inner}&include_installed=1`, [third, fourth]],
      ['stock_item=99999', [first, second, third, fourth]],
      [`part=${parts.lamp}`, [third, fourth]],
      [`part=${parts.board}`, []],
      [`template=${load}`, [second]],
      [`user=${service.getPk('viewer')}`, []],
      ['result=true', [first, fourth]],
      ['required=false', [second]],
      ['enabled=false', [second]],
      ['value=300', [third]],
      ['test=li+GHT', [third, fourth]],
      ['test=nothing', []],
      ['build=7', [fourth]],
      ['search=bench', [second]],
      ['search=light', [third, fourth]],
      ['ordering=-date', [fourth, third, second, first]],
      ['ordering=result', [second, third, first, fourth]],
    ] as const)
      assert.deepEqual(await readKeys(query), expected, query)
    for (const query of ['part=99999', 'template=abc', 'user=99999', 'build=99'])
      assert.equal((await member.get(`${PATH}?${query}`)).status, 400, query)
    await assertCallers(service, (client) => client.get(PATH), ['viewer', 'member', 'superuser'])
  })

  it('includes template and account on request', async () => {
    const { pk } = await createResult({ template: paint })
    const { body } = await member.get(`${PATH}?template_detail=true&user_detail=true`)
    const [{ template_detail, user_detail }] = body.results
    assert.deepEqual(
      [template_detail.pk, template_detail.key, template_detail.results, user_detail.username],
      [paint, 'paint', undefined, 'member'],
    )
    assert.equal((await member.get(`${PATH}${pk}/`)).body.template_detail, undefined)
  })
})

describe('PATCH /api/stock/test/{id}/', () => {
  it('changes and checks only the given fields', async () => {
    const { pk } = await createResult({ template: load, value: '90' })
    assert.equal((await member.patch(`${PATH}${pk}/`, { value: '' })).status, 400)
    await service.rows(`update stock_item_test_result set value = '', date = '2020-01-01' where pk = $1`, [pk])
    const { status, body } = await member.patch(`${PATH}${pk}/`, { notes: 'Lost the value' })
    assert.deepEqual([status, body.notes, body.value, body.date], [200, 'Lost the value', '', '2020-01-01T00:00:00Z'])
    assert.deepEqual(Object.keys((await member.patch(`${PATH}${pk}/`, { template: null })).body), ['non_field_errors'])
    assert.equal((await member.patch(`${PATH}${pk}/`, { test: 'paint' })).body.template, load)
    const screw = await insertItem(service)
    assert.deepEqual(Object.keys((await member.patch(`${PATH}${pk}/`, { stock_item: screw })).body), ['template'])
    await service.rows('update stock_item_test_result set stock_item = $1 where pk = $2', [screw, pk])
    const same = await member.patch(`${PATH}${pk}/`, { stock_item: screw, template: load, value: '91' })
    assert.deepEqual([same.status, same.body.value], [200, '91'])
    await assertCallers(service, (client) => client.patch(`${PATH}${pk}/`, { notes: 'x' }), ['member', 'superuser'])
  })
})

describe('PUT /api/stock/test/{id}/', () => {
  it('replaces everything but the author', async () => {
    const { pk } = await createResult({ template: load, value: '90', notes: 'x' })
    await service.rows('update stock_item_test_result set "user" = $1', [service.getPk('viewer')])
    const { body } = await member.put(`${PATH}${pk}/`, { stock_item: item, template: paint, result: true })
    assert.deepEqual(
      [body.template, body.result, body.value, body.notes, body.user],
      [paint, true, '', '', service.getPk('viewer')],
    )
  })
})

describe('DELETE /api/stock/test/', () => {
  it('deletes the listed results', async () => {
    const [one, other] = [await createResult({ template: paint }), await createResult({ template: paint })]
    assert.equal((await member.delete(PATH, { items: [one.pk] })).status, 204)
    assert.deepEqual(await readKeys(''), [other.pk])
    await assertCallers(service, (client) => client.delete(PATH, { items: [other.pk] }), ['member', 'superuser'])
  })
})

describe('the test results of a stock item', () => {
  it('are included in the item on request, and counted for their test', async () => {
    const { pk } = await createResult({ template: paint, result: true })
    assert.deepEqual((await member.get(`/api/stock/?tests=true&serial=B1`)).body.results[0].tests, [
      (await member.get(`${PATH}${pk}/`)).body,
    ])
    assert.equal((await member.get(`/api/stock/${item}/`)).body.tests, undefined)
    const readTemplates = async (query: string) => (await member.get(`/api/part/test-template/?${query}`)).body.results
    assert.deepEqual(
      (await readTemplates('has_results=true')).map(({ key, results }: Record<string, unknown>) => [key, results]),
      [['paint', 1]],
    )
    assert.deepEqual(
      (await readTemplates('has_results=false')).map(({ key }: Record<string, unknown>) => key),
      ['load'],
    )
  })

  it('are copied to split-off items and to each serialized unit', async () => {
    const bulkItem = await insertItem(service, { part: parts.board, quantity: 5 })
    await createResult({ stock_item: bulkItem, template: load, value: '88' })
    await service.rows(`update stock_item_test_result set date = '2021-01-01', "user" = null`)
    await member.post('/api/stock/transfer/', { items: [{ pk: bulkItem, quantity: 2 }], location: locations.garage })
    const created = await member.post(`/api/stock/${bulkItem}/serialize/`, {
      quantity: 2,
      serial_numbers: 'S1,S2',
      destination: locations.garage,
    })
    assert.equal(created.status, 201, created.text)
    const copies = await service.rows(
      `select item.serial, result.template, result.value, result.date::date::text as date, result."user"
       from stock_item_test_result result join stock_item item on item.pk = result.stock_item where item.parent = $1 order by item.pk`,
      [bulkItem],
    )
    const copy = { template: load, value: '88', date: '2021-01-01', user: null }
    assert.deepEqual(copies, [
      { serial: null, ...copy },
      { serial: 'S1', ...copy },
      { serial: 'S2', ...copy },
    ])
  })

  it('keep a shared file until the last result is deleted', async () => {
    const bulkItem = await insertItem(service, { part: parts.board, quantity: 5 })
    const { attachment, pk } = await createResult({ stock_item: bulkItem, template: paint, attachment: 'data:text/plain,shared' })
    await member.post('/api/stock/transfer/', { items: [{ pk: bulkItem, quantity: 2 }], location: locations.garage })
    await member.delete(`${PATH}${pk}/`)
    assert.equal((await service.viewer.get(new URL(attachment).pathname)).text, 'shared')
  })
})
