import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { buildContains } from './search.ts'

const service = await testService()
const { member } = service

/** Strings in several Unicode forms: each form must find all forms of its string. */
const FORMS: Record<string, readonly string[]> = {
  micro: ['cap 47\u00b5F', 'cap 47\u03bcF', 'cap 47uF', 'cap ４７ｕＦ'],
  ohm: ['res 33\u2126', 'res 33\u03a9', 'res ３３\u03a9'],
  times: ['plate 20\u00d730', 'plate 20x30', 'plate 20X30'],
  composed: ['Du\u0308bel', 'D\u00fcbel', 'DU\u0308BEL'],
  fullWidth: ['ＬＭ３５８', 'LM358', 'lm３５８'],
  halfWidth: ['\uff76\uff9e\uff8f', '\u30ac\u30de', '\u30ab\u3099\u30de'],
  ligature: ['o\ufb03ce', 'office'],
  squared: ['7\u339c', '7mm'],
  degrees: ['85\u2103', '85\u00b0C'],
}

const parts: Record<string, number[]> = {}
let category: number
before(async () => {
  category = (await member.post('/api/part/category/', { name: 'All' })).body.pk
  for (const [name, forms] of Object.entries(FORMS)) {
    parts[name] = []
    for (const [index, form] of forms.entries()) {
      // a second part of the same name needs another IPN
      const { status, body } = await member.post('/api/part/', { name: form, IPN: `${name}-${index}`, category })
      assert.equal(status, 201, JSON.stringify(body))
      assert.equal(body.name, form, 'stored as it is written')
      parts[name].push(body.pk)
    }
  }
})

const findKeys = async (path: string, query: { [name: string]: string | undefined }, key = 'pk') => {
  const { status, body } = await member.get(`${path}?${new URLSearchParams(query as Record<string, string>)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.results.map((row: Record<string, unknown>) => row[key]).sort((one: number, other: number) => one - other)
}

describe('a search', () => {
  it('finds a string in any stored form with any typed form', async () => {
    for (const [name, forms] of Object.entries(FORMS))
      for (const form of forms)
        for (const extraQuery of [{}, { category: String(category) }, { search_whole: 'true' }, { search_regex: 'true' }])
          assert.deepEqual(
            await findKeys('/api/part/', { search: form, ...extraQuery }),
            parts[name],
            `${form} ${JSON.stringify(extraQuery)}`,
          )
  })

  it('finds it in referenced objects, in tags, in supplier parts and in the global search', async () => {
    const supplier = (await member.post('/api/company/', { name: 'S', currency: 'EUR', is_supplier: true })).body.pk
    const [part] = parts.micro as [number]
    const location = (await member.post('/api/stock/location/', { name: 'Ｆach ２×３' })).body.pk
    const stockResponse = await member.post('/api/stock/', { part, quantity: 1, location })
    assert.equal(stockResponse.status, 201, JSON.stringify(stockResponse.body))
    const supplierPartResponse = await member.post('/api/company/part/', { part, supplier, SKU: 'C\u2014100\u00b5' })
    assert.equal(supplierPartResponse.status, 201, JSON.stringify(supplierPartResponse.body))
    await member.patch(`/api/part/${part}/`, { tags: ['10\u2126'] })
    for (const form of FORMS.micro as readonly string[])
      assert.deepEqual(await findKeys('/api/stock/', { search: form }, 'part'), [part], form)
    for (const form of ['fach 2x3', 'Fach 2\u00d73']) {
      assert.deepEqual(await findKeys('/api/stock/', { search: form }, 'part'), [part], form)
      assert.deepEqual(await findKeys('/api/stock/location/', { search: form }), [location], form)
    }
    for (const form of ['100u', '100\u03bc', '10\u03a9'])
      assert.deepEqual(await findKeys('/api/part/', { search: form }), [part], form)
    const { body } = await member.post('/api/search/', { search: '47\u03bcf', part: {}, stockitem: {} })
    assert.deepEqual([body.part.count, body.stockitem.count], [FORMS.micro?.length, 1])
  })

  it('treats characters that fold to pattern characters literally', async () => {
    const oddPart = (await member.post('/api/part/', { name: 'odd 5％ ＿', IPN: 'odd', category })).body.pk
    assert.deepEqual(await findKeys('/api/part/', { search: 'odd 5%' }), [oddPart])
    assert.deepEqual(await findKeys('/api/part/', { search: '5％' }), [oddPart])
    assert.deepEqual(await findKeys('/api/part/', { search: '％％' }), [])
    assert.deepEqual(await findKeys('/api/part/', { search: 'odd，5％' }), [oddPart], 'a full-width comma stands between words')
    assert.deepEqual(await findKeys('/api/part/', { search: '（o', search_regex: 'true' }), [], 'not a bracket of an expression')
    assert.deepEqual(await findKeys('/api/part/', { search: '^cap.47\u00b5F$', search_regex: 'true' }), parts.micro)
  })

  it('uses the index', async () => {
    const client = await service.pool.connect()
    try {
      await client.query('set enable_seqscan = off; set enable_indexscan = off; set enable_indexonlyscan = off')
      for (const [table, columns] of [
        ['part', ['name', 'description', '"IPN"', 'revision', 'keywords']],
        ['stock_item', ['serial', 'batch']],
        ['build_order', ['reference', 'title', 'priority']],
        ['supplier_part', ['"SKU"', 'description']],
        ['sales_order_line', ['reference']],
      ] as const)
        for (const column of columns) {
          const condition = buildContains(column).replace('{@value}', `'%47uF%'`)
          const { rows } = await client.query(`explain select from ${table} where ${condition}`)
          assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), new RegExp(`${table}_search_idx`), `${table}.${column}`)
        }
    } finally {
      client.release(true)
    }
  })
})
