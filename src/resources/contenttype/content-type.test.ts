import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'
import { resources } from '../index.ts'

const service = await testService()
const { nobody } = service
const accounts = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const
const TYPES = '/api/contenttype/'

describe('GET /api/contenttype/', () => {
  it('lists every type of object that has a URL, each once and with its own key', async () => {
    const { results } = (await nobody.get(TYPES)).body
    const models = results.map(({ model }: { model: string }) => model)
    assert.deepEqual(new Set(models), new Set(resources.map(({ model }) => model)))
    assert.equal(new Set(models).size, models.length)
    assert.equal(new Set(results.map(({ pk }: { pk: number }) => pk)).size, models.length)
    assert.equal((await nobody.get(`${TYPES}?limit=2`)).body.results.length, 2)
  })

  it('uses the group names that clients of InvenTree expect', async () => {
    const groups = Object.fromEntries(
      (await nobody.get(TYPES)).body.results.map((type: { model: string; app_label: string }) => [type.model, type.app_label]),
    )
    for (const [model, group] of Object.entries({
      part: 'part',
      stockitem: 'stock',
      supplierpart: 'company',
      purchaseorder: 'order',
      partlabel: 'label',
      testreport: 'report',
      projectcode: 'common',
      customunit: 'common',
      user: 'auth',
      owner: 'users',
      pluginconfig: 'plugin',
    }))
      assert.equal(groups[model], group, model)
  })

  it('requires an account', () => assertCallers(service, (client) => client.get(TYPES), accounts))
})

describe('GET /api/contenttype/{model}/', () => {
  it('returns one type by its name or its key, which is stable', async () => {
    const { body } = await nobody.get(`${TYPES}stockitem/`)
    assert.deepEqual(body, {
      ...{ pk: 621314364, app_label: 'stock', model: 'stockitem', app_labeled_name: 'stock | stock item', is_plugin: false },
    })
    assert.deepEqual((await nobody.get(`${TYPES}${body.pk}/`)).body, body)
    assert.deepEqual((await nobody.get(`${TYPES}StockItem/`)).body, body)
    assert.deepEqual((await nobody.get(`${TYPES}model/stockitem/`)).body, body)
    for (const model of ['1', 'nothing', '__proto__']) assert.equal((await nobody.get(`${TYPES}${model}/`)).status, 404)
  })

  it('requires an account', () => assertCallers(service, (client) => client.get(`${TYPES}part/`), accounts))
})
