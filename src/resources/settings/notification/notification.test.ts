import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { notificationSettings } from '../../../settings/notification.definitions.ts'
import { assertCallers, CALLERS, type CallerName, type Client, testService } from '../../../testing/service.ts'

const service = await testService()
const { member, superuser } = service
const path = '/api/settings/notification/'
const everyone = CALLERS.slice(1)
/** The settings that each account has. */
const COUNT = Object.keys(notificationSettings).length

beforeEach(() => service.rows('delete from notification_user_setting'))

const readOwnSetting = async (client: Client) => (await client.get(path)).body.results[0]
const readRows = () => service.rows('select * from notification_user_setting order by pk')

describe('GET /api/settings/notification/', () => {
  it('creates the rows of an account on first use, and keeps them', async () => {
    const { status, body } = await member.get(path)
    assert.equal(status, 200)
    assert.equal(body.count, COUNT)
    const { pk, name, description, ...rest } = body.results[0]
    assert.ok(pk > 0 && name && description)
    assert.deepEqual(rest, {
      key: 'NOTIFICATION_METHOD_MAIL',
      value: 'True',
      type: 'string',
      choices: '[]',
      model_name: '',
      api_url: '',
      typ: 'notification',
      required: false,
      method: 'mail',
    })
    assert.deepEqual((await member.get(path)).body, body)
    assert.notEqual((await readOwnSetting(superuser)).pk, pk)
  })

  it('creates each row once for concurrent first requests', async () => {
    await Promise.all(Array.from({ length: 5 }, () => member.get(path)))
    assert.equal((await readRows()).length, COUNT)
  })

  it('searches by key, sorts and pages', async () => {
    assert.equal((await member.get(`${path}?search=method_mail`)).body.count, 1)
    assert.deepEqual((await member.get(`${path}?search=zzz`)).body.results, [])
    for (const ordering of ['pk', '-key', 'name', 'nonsense'])
      assert.equal((await member.get(`${path}?ordering=${ordering}`)).body.count, COUNT)
    const page = (await member.get(`${path}?limit=1&offset=${COUNT}`)).body
    assert.deepEqual([page.count, page.results], [COUNT, []])
  })

  it('returns an imported setting that does not exist here', async () => {
    await service.rows(
      `insert into notification_user_setting ("user", method, key, value) values ($1, 'pager', 'constructor', 'loud')`,
      [service.getPk('member')],
    )
    const { results } = (await member.get(`${path}?ordering=key`)).body
    const pager = results.find(({ key }: { key: string }) => key === 'constructor')
    assert.deepEqual([results.length, pager.value, pager.type, pager.method], [COUNT + 1, 'loud', 'string', 'pager'])
    assert.equal((await member.patch(`${path}${pager.pk}/`, { value: 'soft' })).body.value, 'soft')
  })

  it('returns a bare array to existing clients, with lists and null in it', async () => {
    const existing = await testService({ WIRE_FORM: 'inventree' })
    const { body } = await existing.member.get(path)
    assert.equal(body[0].key, 'NOTIFICATION_METHOD_MAIL')
    assert.deepEqual([body[0].choices, body[0].model_name, body[0].api_url], [[], null, null])
    assert.equal((await existing.member.patch(`${path}${body[0].pk}/`, { value: 'maybe' })).body.value, 'False')
  })

  it('requires only an account', () => assertCallers(service, (client) => client.get(path), everyone))
})

describe('GET /api/settings/notification/{id}/', () => {
  it('returns a setting of the caller', async () => {
    const ownSetting = await readOwnSetting(member)
    assert.deepEqual((await member.get(`${path}${ownSetting.pk}/`)).body, ownSetting)
  })

  it('returns 404 for an unknown setting', async () => {
    for (const id of [99999, 0]) assert.equal((await member.get(`${path}${id}/`)).status, 404)
  })
})

for (const method of ['PUT', 'PATCH']) {
  describe(`${method} /api/settings/notification/{id}/`, () => {
    const send = (client: Client, pk: number, body: unknown) => client.send(method, `${path}${pk}/`, body)

    it('changes only the value, given as a boolean, a number or a string', async () => {
      const ownSetting = await readOwnSetting(member)
      for (const [input, value] of [
        [false, 'False'],
        ['true', 'True'],
        [0, 'False'],
      ]) {
        const { status, body } = await send(member, ownSetting.pk, {
          value: input,
          key: 'OTHER',
          method: 'other',
          user: 1,
          pk: 99,
        })
        assert.deepEqual([status, body], [200, { ...ownSetting, value }])
        assert.deepEqual(await readOwnSetting(member), body)
      }
    })

    it('rejects a value that is not a boolean, and changes nothing', async () => {
      const { pk } = await readOwnSetting(member)
      const before = await readRows()
      for (const value of ['maybe', null, {}, [], '<b>x</b>', 'x'.repeat(2001)]) {
        const { status, body } = await send(member, pk, { value })
        assert.deepEqual([status, Object.keys(body)], [400, ['value']], JSON.stringify(value))
      }
      const empty = await send(member, pk, {})
      assert.equal(empty.status, method === 'PUT' ? 400 : 200)
      assert.deepEqual(await readRows(), before)
    })
  })
}

describe("another's notification setting", () => {
  it('does not exist, even for a superuser', async () => {
    const { pk } = await readOwnSetting(member)
    const before = await readRows()
    for (const caller of everyone.filter((name) => name !== 'member') as Exclude<CallerName, 'anonymous'>[]) {
      assert.equal((await service[caller].get(`${path}${pk}/`)).status, 404, caller)
      for (const method of ['PUT', 'PATCH'])
        assert.equal((await service[caller].send(method, `${path}${pk}/`, { value: false })).status, 404, caller)
    }
    assert.deepEqual(await readRows(), before)
  })

  for (const method of ['GET', 'PUT', 'PATCH'])
    it(`${method} requires an account`, () =>
      assertCallers(
        service,
        (client) => client.send(method, `${path}99999/`, method === 'GET' ? undefined : { value: false }),
        everyone,
        readRows,
      ))
})
