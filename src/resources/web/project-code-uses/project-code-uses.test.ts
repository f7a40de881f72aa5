import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPurchaseHelpers } from '../../../testing/objects/purchasing.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { supplier } = createPurchaseHelpers(service)
const PATH = '/api/web/project-code-uses/'

describe('GET /api/web/project-code-uses/', () => {
  it('counts the orders of each project code by type, for types that the account can view', async () => {
    const project_code = (await service.staff.post('/api/project-code/', { code: 'WREN' })).body.pk
    await service.staff.post('/api/project-code/', { code: 'UNUSED' })
    const company = await supplier()
    for (const code of [project_code, project_code, null]) {
      const { reference } = (await service.superuser.get('/api/web/reference-preview/?kind=purchaseorder')).body
      const body = { reference, supplier: company, project_code: code }
      assert.equal((await service.superuser.post('/api/order/po/', body)).status, 201)
    }
    const uses = [{ project_code, model: 'purchaseorder', count: 2 }]
    assert.deepEqual((await service.superuser.get(PATH)).body, uses)
    // staff without a role for purchase orders
    assert.equal((await service.staff.get('/api/order/po/')).status, 403)
    assert.deepEqual((await service.staff.get(PATH)).body, [])
  })

  it('is for staff', () => assertCallers(service, (client) => client.get(PATH), ['staff', 'superuser']))
})
