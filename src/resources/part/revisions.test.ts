import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { testService } from '../../testing/service.ts'

const service = await testService({}, { runsBackgroundWork: false })
const { member, superuser } = service
const path = '/api/part/'
let count = 0

const { body: category } = await superuser.post('/api/part/category/', { name: 'All' })
const toBody = (fields: object) => ({ name: `Part ${++count}`, category: category.pk, minimum_stock: 0, ...fields })

async function makePart(fields: object = {}) {
  const { status, body, text } = await member.post(path, toBody(fields))
  assert.equal(status, 201, text)
  return body
}

const listPks = async (query: string) => (await member.get(`${path}?${query}`)).body.results.map((row: any) => row.pk)

describe('the revision of a part', () => {
  it('names the part that it revises; lists find both', async () => {
    const first = await makePart({ revision: 'A' })
    const second = await makePart({ name: first.name, revision: 'B', revision_of: first.pk })
    assert.deepEqual([second.revision_of, second.revision_count], [first.pk, 0])
    assert.equal((await member.get(`${path}${first.pk}/`)).body.revision_count, 1)
    assert.deepEqual(await listPks(`revision_of=${first.pk}`), [second.pk])
    assert.deepEqual(await listPks('is_revision=true'), [second.pk])
    assert.deepEqual(await listPks('has_revisions=true'), [first.pk])
    await member.patch(`${path}${first.pk}/`, { active: false })
    assert.equal((await member.delete(`${path}${first.pk}/`)).status, 204)
    assert.equal((await member.get(`${path}${second.pk}/`)).body.revision_of, null)
  })

  it('needs the text of its revision, and another part that is no template and has the same template', async () => {
    const part = await makePart({ revision: 'A' })
    const template = await makePart({ is_template: true })
    const variant = await makePart({ variant_of: template.pk, revision: 'A' })
    for (const [fields, field] of [
      [{ revision_of: part.pk }, 'revision'],
      [{ revision_of: part.pk, revision: '' }, 'revision'],
      [{ revision_of: template.pk, revision: 'B' }, 'revision_of'],
      [{ revision_of: variant.pk, revision: 'B' }, 'revision_of'],
      [{ revision_of: part.pk, revision: 'B', variant_of: template.pk }, 'revision_of'],
      [{ revision_of: 999_999_999, revision: 'B' }, 'revision_of'],
    ] as const) {
      const { status, body } = await member.post(path, toBody(fields))
      assert.equal(status, 400, JSON.stringify(fields))
      assert.deepEqual(Object.keys(body), [field])
    }
    assert.equal((await makePart({ revision_of: variant.pk, revision: 'B', variant_of: template.pk })).revision_of, variant.pk)
  })

  it('never forms a circle, not even by concurrent changes', async () => {
    const parts = [await makePart({ revision: 'A' }), await makePart({ revision: 'A' }), await makePart({ revision: 'A' })]
    const own = await member.patch(`${path}${parts[0].pk}/`, { revision_of: parts[0].pk })
    assert.deepEqual(Object.keys(own.body), ['revision_of'])
    for (let round = 0; round < 4; round++) {
      const responses = await Promise.all(
        parts.map(({ pk }, at) => member.patch(`${path}${pk}/`, { revision_of: parts[(at + 1) % 3].pk })),
      )
      assert.equal(responses.filter(({ status }) => status === 400).length, 1)
      for (const { pk } of parts) await member.patch(`${path}${pk}/`, { revision_of: null })
    }
  })
})

describe('the limits of the stock of a part', () => {
  it('have the minimum at or below the maximum, unless there is no maximum', async () => {
    const { pk } = await makePart()
    const amount = fc.integer({ min: 0, max: 1_000_000 }).map((n) => (n % 7 === 0 ? 0 : n / 1000))
    await fc.assert(
      fc.asyncProperty(amount, amount, async (minimum, maximum) => {
        await member.patch(`${path}${pk}/`, { minimum_stock: 0, maximum_stock: 0 })
        const { status, body } = await member.patch(`${path}${pk}/`, { minimum_stock: minimum, maximum_stock: maximum })
        if (maximum > 0 && minimum > maximum) {
          assert.equal(status, 400)
          assert.deepEqual(body, { maximum_stock: ['The minimum stock cannot exceed the maximum stock.'] })
        } else assert.deepEqual([status, body.minimum_stock, body.maximum_stock], [200, minimum, maximum])
      }),
      { numRuns: 25 },
    )
  })

  it('name the field that a request changes', async () => {
    const { pk } = await makePart({ minimum_stock: 5, maximum_stock: 10 })
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { minimum_stock: 11 })).body), ['minimum_stock'])
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { maximum_stock: 4 })).body), ['maximum_stock'])
    assert.deepEqual(Object.keys((await member.patch(`${path}${pk}/`, { maximum_stock: -1 })).body), ['maximum_stock'])
    const { body } = await member.get(`${path}${pk}/`)
    assert.deepEqual([body.minimum_stock, body.maximum_stock], [5, 10])
  })

  it('tell parts with more stock than their maximum', async () => {
    const { pk } = await makePart({ maximum_stock: 10, initial_stock: { quantity: 10 } })
    assert.deepEqual(await listPks('high_stock=true'), [])
    const [{ pk: item }] = await service.rows('select pk from stock_item where part = $1', [pk])
    await superuser.post('/api/stock/add/', { items: [{ pk: item, quantity: 0.5 }] })
    assert.deepEqual(await listPks('high_stock=true'), [pk])
    assert.equal((await listPks('high_stock=false')).includes(pk), false)
  })
})

describe('testable parts', () => {
  it('can have tests, as trackable ones can; a new trackable part is testable', async () => {
    const [plain, testable, trackable] = [
      await makePart(),
      await makePart({ testable: true }),
      await makePart({ trackable: true }),
    ]
    assert.deepEqual([plain.testable, testable.testable, trackable.testable], [false, true, true])
    const test = (part: number) =>
      member.post('/api/part/test-template/', { part, test_name: 'Leak', description: 'x', choices: 'none, few, many' })
    assert.deepEqual(Object.keys((await test(plain.pk)).body), ['part'])
    assert.equal((await test(trackable.pk)).status, 201)
    const { body: template } = await test(testable.pk)
    assert.equal(template.choices, 'none, few, many')
    assert.equal((await listPks('testable=true')).includes(plain.pk), false)
    const twice = await member.patch(`/api/part/test-template/${template.pk}/`, { choices: 'a, a' })
    assert.deepEqual(Object.keys(twice.body), ['choices'])

    const [{ pk: stock_item }] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency) values ($1, 1, 'EUR') returning pk`,
      [testable.pk],
    )
    const result = (value: string) =>
      superuser.post('/api/stock/test/', { stock_item, template: template.pk, result: true, value })
    assert.deepEqual((await result('lots')).body, { value: ['It is not one of the choices of the test.'] })
    assert.equal((await result('few')).status, 201)
    assert.equal((await result('')).status, 201)
  })
})

describe('consumable parts', () => {
  it('are consumable in every BOM: build orders do not allocate them', async () => {
    const [assembly, glue] = [await makePart({ assembly: true }), await makePart({ consumable: true })]
    await member.post('/api/bom/', { part: assembly.pk, sub_part: glue.pk, quantity: 1 })
    const { body: build } = await superuser.post('/api/build/', {
      reference: 'BO-0001',
      part: assembly.pk,
      quantity: 2,
      title: 'x',
    })
    const { results } = (await superuser.get(`/api/build/line/?build=${build.pk}&consumable=true`)).body
    assert.equal(results.length, 1)
    const [{ pk: stock_item }] = await service.rows(
      `insert into stock_item (part, quantity, purchase_price_currency) values ($1, 5, 'EUR') returning pk`,
      [glue.pk],
    )
    const allocate = await superuser.post(`/api/build/${build.pk}/allocate/`, {
      items: [{ build_line: results[0].pk, stock_item, quantity: 1 }],
    })
    assert.equal((await superuser.get(`/api/build/item/?build=${build.pk}`)).body.count, 0, allocate.text)
    assert.deepEqual(await listPks('consumable=true'), [glue.pk])
  })
})

describe('related parts, companies, project codes and stock items', () => {
  it('have the new fields', async () => {
    const [one, two] = [await makePart(), await makePart()]
    const { body: relation } = await member.post('/api/part/related/', { part_1: one.pk, part_2: two.pk, note: 'same housing' })
    assert.equal(relation.note, 'same housing')
    assert.equal((await member.get(`/api/part/related/?part_2=${two.pk}`)).body.count, 1)
    assert.equal((await member.get(`/api/part/related/?part_2=${one.pk}`)).body.count, 0)

    const { body: company } = await superuser.post('/api/company/', {
      name: 'Taxed',
      currency: 'EUR',
      tax_id: 'DE 123',
      is_manufacturer: true,
    })
    assert.equal(company.tax_id, 'DE 123')
    const { body: made } = await member.post('/api/company/part/manufacturer/', {
      part: one.pk,
      manufacturer: company.pk,
      MPN: 'M',
      notes: 'made\nto order',
    })
    assert.equal(made.notes, 'made\nto order')

    const { body: code } = await superuser.post('/api/project-code/', { code: 'OLD', active: false })
    assert.equal(code.active, false)
    assert.equal((await member.get('/api/project-code/?active=false')).body.count, 1)
    assert.equal((await member.get('/api/project-code/?active=true')).body.count, 0)

    const { body: items } = await superuser.post('/api/stock/', { part: one.pk, quantity: 1 })
    const { pk } = Array.isArray(items) ? items[0] : items
    const { body: item } = await superuser.get(`/api/stock/${pk}/`)
    assert.ok(Math.abs(Date.parse(item.creation_date) - Date.now()) < 60_000)
    const day = item.creation_date.slice(0, 10)
    assert.equal((await superuser.get(`/api/stock/?created_after=${day}&ordering=-creation_date`)).body.results[0].pk, pk)
    assert.equal((await superuser.get(`/api/stock/?created_before=${day}&part=${one.pk}`)).body.count, 0)
  })
})
