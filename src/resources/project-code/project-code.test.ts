import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()

const count = async () => (await service.superuser.get('/api/project-code/')).body.count

describe('POST /api/project-code/', () => {
  it('creates a project code, and responds as GET does', async () => {
    const created = await service.staff.post('/api/project-code/', { code: 'NIM', description: 'Nimbus' })
    assert.equal(created.status, 201)
    assert.deepEqual(created.body, {
      pk: created.body.pk,
      code: 'NIM',
      description: 'Nimbus',
      active: true,
      responsible: null,
      responsible_detail: null,
    })
    assert.deepEqual((await service.viewer.get(`/api/project-code/${created.body.pk}/`)).body, created.body)
  })

  it('rejects an existing code, one that is too long, HTML, and an unknown owner, naming the field', async () => {
    const bad = [
      { code: 'NIM' },
      { code: 'x'.repeat(51) },
      { code: '<b>x</b>' },
      { code: '' },
      {},
      { code: null },
      { code: 'Y', responsible: 99_999 },
    ]
    const fields = ['code', 'code', 'code', 'code', 'code', 'code', 'responsible']
    const before = await count()
    for (const [index, body] of bad.entries()) {
      const response = await service.staff.post('/api/project-code/', body)
      assert.equal(response.status, 400)
      assert.deepEqual(Object.keys(response.body), [fields[index]])
    }
    assert.equal(await count(), before)
  })

  it('requires staff', () =>
    assertCallers(service, (client) => client.post('/api/project-code/', { code: 'CALLERS' }), ['staff', 'superuser'], count))
})

describe('GET /api/project-code/', () => {
  it('pages, searches and sorts', async () => {
    await service.staff.post('/api/project-code/', { code: 'ZED', description: 'last' })
    const page = await service.viewer.get('/api/project-code/?ordering=-code&limit=1')
    assert.equal(page.body.results[0].code, 'ZED')
    assert.match(page.body.next, /^http.*\/api\/project-code\/\?limit=1&offset=1&ordering=-code$/)
    assert.equal((await service.viewer.get('/api/project-code/?search=LAST')).body.count, 1)
  })

  it('requires only an account', () =>
    assertCallers(service, (client) => client.get('/api/project-code/'), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})
