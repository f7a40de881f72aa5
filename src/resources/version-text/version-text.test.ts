import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../testing/service.ts'

const service = await testService()
const inventreeService = await testService({ WIRE_FORM: 'inventree' })

for (const path of ['/api/version-text', '/api/version-text/'])
  describe(`GET ${path}`, () => {
    it('lists the changes of API versions, newest first', async () => {
      const { body } = await service.staff.get(path)
      const [latest, previous] = body.results
      assert.equal(body.count, 2)
      assert.deepEqual([latest.version, latest.latest, previous.latest], ['v196', true, false])
      assert.match(latest.text, /contenttype\/.*\n.*license\//)
      assert.equal((await service.staff.get(`${path}?limit=1&offset=1`)).body.results[0].version, previous.version)
    })

    it('returns an object with a key for each of the last ten versions to existing clients', async () => {
      const { body } = await inventreeService.staff.get(path)
      assert.deepEqual(
        Object.keys(body),
        Array.from({ length: 10 }, (_, index) => `v${187 + index}`),
      )
      assert.equal(body.v190, null)
      assert.equal(body.v196.text.length, 3)
    })

    it('requires a staff account', () => assertCallers(service, (client) => client.get(path), ['staff', 'superuser']))
  })
