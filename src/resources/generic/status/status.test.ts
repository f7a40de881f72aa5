import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { nobody } = service
const accounts = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const

describe('GET /api/generic/status/', () => {
  it('returns each table like its own URL does', async () => {
    const { status, body } = await nobody.get('/api/generic/status/')
    assert.equal(status, 200)
    for (const [name, path] of Object.entries({
      PurchaseOrderStatus: '/api/order/po/status/',
      SalesOrderStatus: '/api/order/so/status/',
      ReturnOrderStatus: '/api/order/ro/status/',
      ReturnOrderLineStatus: '/api/order/ro-line/status/',
      StockStatus: '/api/stock/status/',
      StockHistoryCode: '/api/stock/track/status/',
      BuildStatus: '/api/build/status/',
    }))
      assert.deepEqual(body[name], (await nobody.get(path)).body, name)
    assert.deepEqual(body.StockStatus.values.OK, { key: 10, name: 'OK', label: 'OK', color: 'success' })
    assert.deepEqual(body.TransferOrderStatus.values.ON_HOLD.key, 25, 'which has no URL of its own')
    assert.deepEqual(body.MachineStatus, { class: 'MachineStatus', values: {} })
    assert.equal(body.MachineStatus__LabelPrinterStatus.class, 'LabelPrinterStatus')
  })

  it('requires an account', () => assertCallers(service, (client) => client.get('/api/generic/status/'), accounts))
})

describe('GET /api/generic/status/{statusmodel}/', () => {
  it('returns one of the tables', async () => {
    const all = (await nobody.get('/api/generic/status/')).body
    for (const name of Object.keys(all)) assert.deepEqual((await nobody.get(`/api/generic/status/${name}/`)).body, all[name])
  })

  it('rejects an unknown name', async () => {
    for (const name of ['StockState', 'constructor', '__proto__', '5']) {
      const { status, body } = await nobody.get(`/api/generic/status/${name}/`)
      assert.equal(status, 400)
      assert.deepEqual(Object.keys(body), ['statusmodel'])
    }
  })

  it('requires an account', () => assertCallers(service, (client) => client.get('/api/generic/status/StockStatus/'), accounts))
})
