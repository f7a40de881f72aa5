import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { waitForListeners } from '../../../testing/listeners-caught-up.ts'
import { waitForStableDay } from '../../../testing/period-boundary.ts'
import { startSecondNode } from '../../../testing/second-node.ts'
import { assertCallers, testService } from '../../../testing/service.ts'

const service = await testService()
const { member, anonymous, superuser, viewer } = service
const TOKENS = '/api/user/tokens/'
const SIGNED_IN = ['nobody', 'viewer', 'member', 'staff', 'superuser'] as const

/** Creates a token with this name; returns its key, its primary key, and headers that authenticate with it. */
async function createToken(name: string, client = viewer) {
  const { token: key } = (await client.get(`/api/user/token/?name=${name}`)).body
  const { results } = (await client.get(`${TOKENS}?name=${name}`)).body
  return { key, pk: results.at(-1).pk as number, headers: { authorization: `Token ${key}` } }
}
const readTokens = () => service.rows('select pk, revoked from api_token order by pk')

describe('GET /api/user/tokens/', () => {
  it("lists the caller's tokens, marks the current one, and omits keys", async () => {
    const today = await waitForStableDay()
    const [one, two] = [await createToken('one'), await createToken('two')]
    const response = await anonymous.get(`${TOKENS}?ordering=name`, two.headers)
    const expiry = new Date(Date.parse(today) + 365 * 86_400_000).toISOString().slice(0, 10)
    assert.deepEqual(
      response.body.results.map(({ created, ...rest }: { created: string }) => ({ ...rest, day: created.slice(0, 10) })),
      [
        {
          pk: one.pk,
          name: 'one',
          day: today,
          expiry,
          last_seen: null,
          revoked: false,
          read_only: false,
          active: true,
          in_use: false,
        },
        {
          pk: two.pk,
          name: 'two',
          day: today,
          expiry,
          last_seen: today,
          revoked: false,
          read_only: false,
          active: true,
          in_use: true,
        },
      ],
    )
    for (const { key } of [one, two]) assert.ok(!response.text.includes(key.slice(4, 44)))
    assert.ok((await viewer.get(TOKENS)).body.results.every(({ in_use }: { in_use: boolean }) => !in_use))
  })

  it('shows an expired token as not active', async () => {
    const { pk } = await createToken('over')
    await service.rows(`update api_token set expiry = current_date - 1 where pk = $1`, [pk])
    assert.equal((await viewer.get(`${TOKENS}${pk}/`)).body.active, false)
  })

  it("hides tokens of other accounts, whatever the caller's permissions", async () => {
    const { pk } = await createToken('own')
    for (const client of [member, service.staff, superuser]) {
      assert.equal((await client.get(`${TOKENS}?name=own`)).body.count, 0)
      assert.equal((await client.get(`${TOKENS}${pk}/`)).status, 404)
    }
  })

  it('is open to every account', () => assertCallers(service, (client) => client.get(TOKENS), SIGNED_IN))
})

describe('DELETE /api/user/tokens/{id}/', () => {
  it('revokes a token on every node within a second, records it once, and never returns it again', async () => {
    const { key, pk, headers } = await createToken('scanner')
    const node = await startSecondNode(service)
    const getStatusOnOtherNode = async () => (await node.inject({ url: '/api/user/me/', headers })).statusCode
    // both nodes have cached it now
    for (let round = 0; round < 2; round++) {
      assert.equal(await getStatusOnOtherNode(), 200)
      assert.equal((await anonymous.get('/api/user/me/', headers)).status, 200)
    }
    assert.equal((await viewer.delete(`${TOKENS}${pk}/`)).status, 204)
    const revokedAt = Date.now()
    while (
      ((await getStatusOnOtherNode()) === 200 || (await anonymous.get('/api/user/me/', headers)).status === 200) &&
      Date.now() - revokedAt < 1000
    )
      await pause(10)
    assert.ok(Date.now() - revokedAt < 1000, 'a node still accepted it')
    assert.equal(await getStatusOnOtherNode(), 401)
    assert.equal((await viewer.delete(`${TOKENS}${pk}/`)).status, 204)
    const { revoked: isRevoked, active } = (await viewer.get(`${TOKENS}${pk}/`)).body
    assert.deepEqual([isRevoked, active], [true, false])
    const events = await service.rows(`select "user", actor, details from security_event where kind = 'token_revoked'`)
    const own = service.getPk('viewer')
    assert.deepEqual(events, [{ user: own, actor: own, details: { name: 'scanner' } }])
    const secondToken = await createToken('scanner')
    assert.notEqual(secondToken.key, key)
    assert.notEqual(secondToken.pk, pk)
  })

  it('revokes the token that authenticates the request', async () => {
    const { pk, headers } = await createToken('itself')
    assert.equal((await anonymous.delete(`${TOKENS}${pk}/`, undefined, headers)).status, 204)
    await waitForListeners(service)
    assert.equal((await anonymous.get(TOKENS, headers)).status, 401)
  })

  it('returns 404 for a token of another account, even to a superuser', async () => {
    const { pk } = await createToken('kept')
    const before = await readTokens()
    for (const client of [member, service.staff, superuser]) assert.equal((await client.delete(`${TOKENS}${pk}/`)).status, 404)
    assert.equal((await anonymous.delete(`${TOKENS}${pk}/`)).status, 401)
    assert.deepEqual(await readTokens(), before)
  })

  it('is open to every account', () =>
    assertCallers(service, (client) => client.delete(`${TOKENS}999999/`), SIGNED_IN, readTokens))
})
