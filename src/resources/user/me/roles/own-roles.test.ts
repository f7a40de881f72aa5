import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../../testing/service.ts'

const service = await testService()
const ROLES = '/api/user/me/roles/'

describe('GET /api/user/me/roles/', () => {
  it('has the roles of /api/user/roles/, and the permissions by object type', async () => {
    for (const name of ['viewer', 'member', 'superuser'] as const) {
      const { permissions, ...roles } = (await service[name].get(ROLES)).body
      assert.deepEqual(roles, (await service[name].get('/api/user/roles/')).body)
      assert.deepEqual(permissions.purchaseorder, name === 'viewer' ? ['view'] : ['add', 'change', 'delete', 'view'])
    }
  })

  it('has no permission that the operations of the type do not grant', async () => {
    const { permissions } = (await service.nobody.get(ROLES)).body
    assert.equal('part' in permissions, false)
    assert.deepEqual(permissions.projectcode, ['view'])
    assert.deepEqual((await service.staff.get(ROLES)).body.permissions.projectcode, ['add', 'change', 'delete', 'view'])
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(ROLES), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('GET /api/user/me/token/', () => {
  it('returns the token that /api/user/token/ returns', async () => {
    const { body } = await service.member.get('/api/user/me/token/?name=phone')
    assert.deepEqual((await service.member.get('/api/user/token/?name=phone')).body, body)
    assert.equal(body.name, 'phone')
    assert.equal((await service.anonymous.get('/api/part/', { authorization: `Token ${body.token}` })).status, 200)
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get('/api/user/me/token/'), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})
