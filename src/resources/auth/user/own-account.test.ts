import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { assertCallers, CALLERS, testService } from '../../../testing/service.ts'

const service = await testService()
const { member } = service
const path = '/api/auth/user/'
const signedInCallers = CALLERS.slice(1)
const pk = service.getPk('member')

beforeEach(async () => {
  await service.rows(
    "update user_account set username = 'member', first_name = 'Mary', last_name = 'Member', email = 'm@a.example' where pk = $1",
    [pk],
  )
  await service.rows('delete from security_event')
})

const mary = { pk, username: 'member', email: 'm@a.example', first_name: 'Mary', last_name: 'Member' }
const readAccounts = () =>
  service.rows('select pk, username, email, first_name, last_name, is_staff from user_account order by pk')
const readEvents = () => service.rows('select kind, "user", actor, details from security_event order by pk')
/** Returns credentials of the member under another name. */
const authHeaders = (name: string) => ({ authorization: `Basic ${btoa(`${name}:a password of tests`)}` })

describe('GET /api/auth/user/', () => {
  it("returns the caller's own account", async () => {
    const { status, body, headers } = await member.get(path)
    assert.deepEqual([status, body], [200, mary])
    assert.match(String(headers.etag), /^"\d+"$/)
  })

  it('is available to everyone with an account', () => assertCallers(service, (client) => client.get(path), signedInCallers))
})

describe('PATCH /api/auth/user/', () => {
  it('changes the given fields; the address, the key and permissions stay', async () => {
    const { status, body } = await member.patch(path, { first_name: 'Ada', email: 'x@a.example', pk: 1, is_staff: true })
    assert.deepEqual([status, body], [200, { ...mary, first_name: 'Ada' }])
    assert.deepEqual((await member.get(path)).body, body)
    assert.equal((await readAccounts()).find((row) => row.pk === pk).is_staff, false)
  })

  it('renames the account, records it, and rejects sign-ins by the previous name', async () => {
    assert.equal((await member.patch(path, { username: 'Mary.M' })).status, 200)
    const [event] = await readEvents()
    assert.deepEqual([event.kind, event.user, event.actor], ['account_changed', pk, pk])
    assert.deepEqual(event.details.username, { before: 'member', after: 'Mary.M' })
    assert.equal((await service.anonymous.get(path, authHeaders('mary.m'))).body.username, 'Mary.M')
    assert.equal((await service.anonymous.get(path, authHeaders('member'))).status, 401)
  })

  it('accepts its own name unchanged, or in another case', async () => {
    assert.equal((await member.patch(path, { username: 'member' })).status, 200)
    assert.equal((await member.patch(path, { username: 'Member' })).body.username, 'Member')
  })

  it('accepts an unchanged imported name that violates the rules', async () => {
    await service.rows("update user_account set username = 'two words' where pk = $1", [pk])
    const { status, body } = await service.anonymous.put(
      path,
      { username: 'two words', first_name: 'Ada' },
      authHeaders('two words'),
    )
    assert.deepEqual([status, body.first_name], [200, 'Ada'])
  })

  it('rejects a name that is taken in any case, or invalid, and changes nothing', async () => {
    const before = await readAccounts()
    const cyrillic = 'vi\u0435wer'
    for (const username of ['viewer', 'VIEWER', 'viêwer', cyrillic, 'two words', 'x'.repeat(151), '', null, {}, '<b>', 'a\0b']) {
      const { status, body } = await member.patch(path, { username, first_name: 'Changed' })
      assert.deepEqual([status, Object.keys(body)], [400, ['username']], JSON.stringify(username))
    }
    for (const first_name of ['x'.repeat(151), null, {}])
      assert.deepEqual(Object.keys((await member.patch(path, { first_name })).body), ['first_name'])
    assert.deepEqual(await readAccounts(), before)
    assert.deepEqual(await readEvents(), [])
  })

  it('honors If-Match', async () => {
    const { etag } = (await member.get(path)).headers
    assert.equal((await member.patch(path, { first_name: 'One' }, { 'if-match': String(etag) })).status, 200)
    assert.equal((await member.patch(path, { first_name: 'Two' }, { 'if-match': String(etag) })).status, 412)
    assert.equal((await member.get(path)).body.first_name, 'One')
  })

  it('gives a name to one of two accounts that request it concurrently', async () => {
    const responses = await Promise.all([member, service.viewer].map((client) => client.patch(path, { username: 'wanted' })))
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [200, 400])
    await service.rows("update user_account set username = 'viewer' where pk = $1", [service.getPk('viewer')])
  })

  it('is available to everyone with an account', () =>
    assertCallers(service, (client) => client.patch(path, {}), signedInCallers, readAccounts))
})

describe('PUT /api/auth/user/', () => {
  it('requires the name; the other fields return to their defaults', async () => {
    assert.deepEqual(Object.keys((await member.put(path, {})).body), ['username'])
    assert.deepEqual((await member.put(path, { username: 'member', last_name: 'M' })).body, {
      ...mary,
      first_name: '',
      last_name: 'M',
    })
  })

  it('keeps omitted fields for existing clients', async () => {
    const inventreeService = await testService({ WIRE_FORM: 'inventree' })
    await inventreeService.member.patch(path, { first_name: 'Ada' })
    assert.equal((await inventreeService.member.put(path, { username: 'member' })).body.first_name, 'Ada')
  })

  it('is available to everyone with an account', () =>
    assertCallers(service, (client) => client.put(path, {}), signedInCallers, readAccounts))
})
