import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { testService } from '../../../testing/service.ts'

const service = await testService()
const { setting } = createPurchaseHelpers(service)

describe('GET /api/web/settings/', () => {
  it('returns the current settings of web interfaces to every account', async () => {
    const readSettings = async () => (await service.nobody.get('/api/web/settings/')).body
    const defaults = {
      BARCODE_ENABLE: true,
      BARCODE_WEBCAM_SUPPORT: true,
      BARCODE_INPUT_DELAY: 50,
      STOCK_ENABLE_EXPIRY: false,
      STOCK_ALLOW_EXPIRED_SALE: false,
      STOCK_ALLOW_EXPIRED_BUILD: false,
      PART_ENABLE_REVISION: true,
      INVENTREE_INSTANCE_TITLE: false,
      TEST_STATION_DATA: false,
      PURCHASEORDER_EDIT_COMPLETED_ORDERS: false,
      RETURNORDER_EDIT_COMPLETED_ORDERS: false,
      SALESORDER_EDIT_COMPLETED_ORDERS: false,
    }
    assert.deepEqual(await readSettings(), defaults)
    await setting('BARCODE_INPUT_DELAY', '120')
    await setting('BARCODE_WEBCAM_SUPPORT', 'False')
    await setting('STOCK_ENABLE_EXPIRY', 'True')
    await setting('STOCK_ALLOW_EXPIRED_BUILD', 'True')
    await setting('SALESORDER_EDIT_COMPLETED_ORDERS', 'True')
    assert.deepEqual(await readSettings(), {
      ...defaults,
      BARCODE_WEBCAM_SUPPORT: false,
      BARCODE_INPUT_DELAY: 120,
      STOCK_ENABLE_EXPIRY: true,
      STOCK_ALLOW_EXPIRED_BUILD: true,
      SALESORDER_EDIT_COMPLETED_ORDERS: true,
    })
  })

  it('rejects anonymous callers', async () => {
    assert.equal((await service.anonymous.get('/api/web/settings/')).status, 401)
  })
})
