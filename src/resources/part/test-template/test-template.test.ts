import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'
import { toTestKey } from './test-key.ts'

const service = await testService()
const { member } = service
const path = '/api/part/test-template/'

let chair: number
let red: number
let bolt: number
before(async () => {
  const [first] = await service.rows(`insert into part (name, is_template, trackable) values ('Chair', true, true) returning pk`)
  chair = first.pk
  const others = await service.rows(
    `insert into part (name, trackable, variant_of) values ('Red chair', true, $1), ('Bolt', false, null) returning pk`,
    [chair],
  )
  ;[red, bolt] = others.map(({ pk }) => pk) as [number, number]
})
const testFields = { test_name: 'Load', description: 'Bears 150 kg' }
const readRows = () => service.rows('select pk, part, key, description from part_test_template order by pk')

it('the key of a test is made of the letters and digits of its name', () => {
  for (const [name, key] of [
    ['Blue Paint Applied', 'bluepaintapplied'],
    ['Prüfung №1: größer', 'prüfung1größer'],
    ['a_b-c', 'a_bc'],
    ['230 V', '_230v'],
    ['試験 1', '試験1'],
    ['-- !', ''],
  ] as const)
    assert.equal(toTestKey(name), key)
})

describe('POST /api/part/test-template/', () => {
  it('creates a test, which is required unless the body says otherwise', async () => {
    const { status, body } = await member.post(path, { part: chair, ...testFields })
    assert.equal(status, 201)
    const { pk, ...rest } = body
    assert.deepEqual(rest, {
      key: 'load',
      part: chair,
      ...testFields,
      enabled: true,
      required: true,
      requires_value: false,
      requires_attachment: false,
      choices: '',
      results: 0,
    })
  })

  it('rejects invalid values', async () => {
    for (const [body, field] of [
      [{ part: red, ...testFields, test_name: 'LO AD' }, 'test_name'],
      [{ part: red, ...testFields, test_name: '--' }, 'test_name'],
      [{ part: red, ...testFields, test_name: '1'.repeat(100) }, 'test_name'],
      [{ part: bolt, ...testFields }, 'part'],
      [{ part: red, test_name: 'Without words' }, 'description'],
      [{ part: red, test_name: 'Without words', description: '' }, 'description'],
      [{ part: red, ...testFields, test_name: 'Other', enabled: 'perhaps' }, 'enabled'],
    ] as const) {
      const response = await member.post(path, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]], JSON.stringify(body))
    }
  })

  it('stores one test per name in the tree when template and variant get it concurrently', async () => {
    const responses = await Promise.all(
      [chair, red, chair, red].map((part) => member.post(path, { part, test_name: 'Paint', description: 'Is dry' })),
    )
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 400, 400, 400])
  })

  it('requires the permission to add parts', () =>
    assertCallers(
      service,
      (client) => client.post(path, { part: red, test_name: 'Colour', description: 'Red' }),
      ['member', 'superuser'],
      readRows,
    ))
})

describe('GET /api/part/test-template/', () => {
  it('lists the tests of a part with those of its template', async () => {
    const listKeys = async (query: string) =>
      (await member.get(`${path}?${query}`)).body.results.map(({ key }: { key: string }) => key)
    await service.rows(`update part_test_template set part = $1 where key <> 'colour'`, [chair])
    assert.deepEqual(await listKeys(`part=${red}`), ['colour', 'load', 'paint'])
    assert.deepEqual(await listKeys(`part=${red}&include_inherited=false`), ['colour'])
    assert.deepEqual(await listKeys(`part=${chair}`), ['load', 'paint'])
    assert.deepEqual(await listKeys('key=load'), ['load'])
    assert.deepEqual(await listKeys('search=150'), ['load'])
    assert.equal((await member.get(`${path}?part=99999`)).status, 400)
    const [item] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency) values ($1, 1, 'EUR') returning pk`,
      [red],
    )
    assert.deepEqual(await listKeys(`stock_item=${item.pk}`), ['colour', 'load', 'paint'])
    assert.equal((await member.get(`${path}?stock_item=99999`)).status, 400)
  })
})

describe('PATCH /api/part/test-template/{id}/', () => {
  it('renames a test, and changes its key with it', async () => {
    const [{ pk }] = await readRows()
    const { body } = await member.patch(`${path}${pk}/`, { test_name: 'Load 2' })
    assert.deepEqual([body.key, body.test_name], ['load2', 'Load 2'])
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { test_name: 'paint' })).body), ['test_name'])
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { description: '' })).body), ['description'])
  })
})
