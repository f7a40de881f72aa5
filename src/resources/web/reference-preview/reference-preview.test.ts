import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { supplier } = createPurchaseHelpers(service)
const preview = (query: Record<string, string>) => service.staff.get(`/api/web/reference-preview/?${new URLSearchParams(query)}`)
const year = new Date().getUTCFullYear()

describe('GET /api/web/reference-preview/', () => {
  it('returns the next reference of the saved pattern, and of one that is not saved', async () => {
    assert.equal((await preview({ kind: 'purchaseorder' })).body.reference, 'PO-0001')
    await service.superuser.post('/api/order/po/', { supplier: await supplier(), reference: 'PO-0041' })
    assert.equal((await preview({ kind: 'purchaseorder' })).body.reference, 'PO-0042')
    assert.equal((await preview({ kind: 'purchaseorder', pattern: 'B-{date:%Y}-{ref:05d}' })).body.reference, `B-${year}-00042`)
    assert.equal((await preview({ kind: 'purchaseorder', pattern: '' })).body.reference, '42')
    assert.equal((await preview({ kind: 'salesorder', pattern: 'S{ref}' })).body.reference, 'S1')
    assert.equal((await preview({ kind: 'returnorder' })).body.reference, 'RMA-0001')
    assert.equal((await preview({ kind: 'build' })).body.reference, 'BO-0001')
    assert.equal((await service.staff.get('/api/settings/global/PURCHASEORDER_REFERENCE_PATTERN/')).body.value, 'PO-{ref:04d}')
  })

  it('rejects an invalid pattern and an unknown type of order, each at its parameter', async () => {
    for (const pattern of ['PO-', 'PO-{ref', 'PO-{number}', '{ref}{ref}', '{date:%Q}{ref}', `${'x'.repeat(70)}{ref}`]) {
      const { status, body } = await preview({ kind: 'build', pattern })
      assert.deepEqual([status, Object.keys(body)], [400, ['pattern']], pattern)
    }
    for (const kind of ['', 'part']) assert.deepEqual(Object.keys((await preview({ kind, pattern: '{ref}' })).body), ['kind'])
  })

  it('is for staff', () =>
    assertCallers(service, (client) => client.get('/api/web/reference-preview/?kind=build'), ['staff', 'superuser']))
})
