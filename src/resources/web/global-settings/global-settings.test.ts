import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { globalSettings, isServed } from '../../../settings/registry.ts'
import { testService } from '../../../testing/service.ts'

const service = await testService()

type Row = { key: string; value: string; default: string; is_changed: boolean; used_by: string; is_for_superusers: boolean }

const readAll = async (): Promise<Row[]> => (await service.staff.get('/api/web/global-settings/')).body
const readOne = async (key: string) => (await readAll()).find((row) => row.key === key) as Row

describe('GET /api/web/global-settings/', () => {
  it('returns every public setting once, with its default', async () => {
    const keys = (await readAll()).map(({ key }) => key)
    assert.deepEqual(keys.toSorted(), Object.keys(globalSettings).filter(isServed).toSorted())
    assert.deepEqual(
      (await readAll()).filter(({ is_changed }) => is_changed).map(({ key }) => key),
      [],
    )
  })

  it('returns the value after a change, and after a reset', async () => {
    const path = '/api/settings/global/STOCK_STALE_DAYS/'
    assert.equal((await service.staff.patch(path, { value: 14 })).status, 200)
    assert.deepEqual(await readOne('STOCK_STALE_DAYS'), {
      key: 'STOCK_STALE_DAYS',
      area: 'stock',
      name: 'Stock Stale Time',
      description: 'The number of days before its expiry date from which stock is stale; 0 for only after it.',
      type: 'integer',
      units: 'days',
      min: null,
      max: null,
      choices: [],
      value: '14',
      default: '0',
      is_changed: true,
      used_by: 'service',
      is_for_superusers: false,
    })
    assert.equal((await service.staff.patch(path, { value: '0' })).status, 200)
    assert.equal((await readOne('STOCK_STALE_DAYS')).is_changed, false)
  })

  it('states the code that a setting affects, and whether only superusers may change it', async () => {
    assert.equal((await readOne('BARCODE_WEBCAM_SUPPORT')).used_by, 'console')
    assert.equal((await readOne('INVENTREE_TREE_DEPTH')).used_by, 'clients')
    assert.equal((await readOne('LOGIN_ENABLE_REG')).is_for_superusers, true)
  })

  it('is for staff', async () => {
    assert.equal((await service.anonymous.get('/api/web/global-settings/')).status, 401)
    assert.equal((await service.member.get('/api/web/global-settings/')).status, 403)
    assert.equal((await service.superuser.get('/api/web/global-settings/')).status, 200)
  })
})
