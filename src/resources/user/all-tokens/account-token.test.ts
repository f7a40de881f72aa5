import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { anonymous, superuser, viewer } = service
const TOKENS = '/api/user/all-tokens/'
const createToken = async (name: string) =>
  (await viewer.post('/api/user/tokens/', { name })).body as { pk: number; token: string }
const getStatus = async (token: string) => (await anonymous.get('/api/user/me/', { authorization: `Token ${token}` })).status
const readTokens = () => service.rows('select pk, revoked from api_token order by pk')

describe('/api/user/all-tokens/', () => {
  it('lists the tokens of an account without their keys, and revokes one at once, which is recorded', async () => {
    const [{ pk, token }, other] = [await createToken('scanner'), await createToken('display')]
    const { body, text } = await superuser.get(`${TOKENS}?user=${service.getPk('viewer')}&revoked=false&ordering=created`)
    assert.deepEqual(
      body.results.map(({ name, user, active }: Record<string, unknown>) => [name, user, active]),
      [
        ['scanner', service.getPk('viewer'), true],
        ['display', service.getPk('viewer'), true],
      ],
    )
    assert.ok(!text.includes(token))
    for (let round = 0; round < 2; round++) assert.equal((await superuser.delete(`${TOKENS}${pk}/`)).status, 204)
    await waitForListeners(service)
    assert.deepEqual([await getStatus(token), await getStatus(other.token)], [401, 200])
    const events = await service.rows(`select "user", actor, details from security_event where kind = 'token_revoked'`)
    const event = { user: service.getPk('viewer'), actor: service.getPk('superuser'), details: { name: 'scanner' } }
    assert.deepEqual(events, [event])
    assert.equal((await superuser.delete(`${TOKENS}999999/`)).status, 404)
  })

  it('require a superuser', async () => {
    const { pk } = await createToken('callers')
    await assertCallers(service, (client) => client.get(TOKENS), ['superuser'])
    await assertCallers(service, (client) => client.get(`${TOKENS}${pk}/`), ['superuser'])
    await assertCallers(service, (client) => client.delete(`${TOKENS}${pk}/`), ['superuser'], readTokens)
  })
})
