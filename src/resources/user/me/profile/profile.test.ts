import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertCallers, testService } from '../../../../testing/service.ts'

const service = await testService()
const { member, viewer } = service
const PATH = '/api/user/me/profile/'

describe('GET /api/user/me/profile/', () => {
  it('returns the profile that each account has', async () => {
    const { status, body } = await member.get(PATH)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      language: null,
      theme: null,
      widgets: null,
      displayname: null,
      position: null,
      status: null,
      location: null,
      active: true,
      contact: null,
      type: 'internal',
      organisation: null,
      primary_group: null,
    })
  })

  it('requires an account', () =>
    assertCallers(service, (client) => client.get(PATH), ['nobody', 'viewer', 'member', 'staff', 'superuser']))
})

describe('PUT and PATCH /api/user/me/profile/', () => {
  it('change the profile of the caller alone', async () => {
    const changed = await member.patch(PATH, { displayname: 'The Boss', theme: { primaryColor: 'indigo' }, type: 'external' })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual((await member.get(PATH)).body, changed.body)
    assert.deepEqual(
      [changed.body.displayname, changed.body.theme, changed.body.type],
      ['The Boss', { primaryColor: 'indigo' }, 'external'],
    )
    assert.equal((await viewer.get(PATH)).body.displayname, null)
    const replaced = await member.put(PATH, { position: 'Head of stores' })
    assert.deepEqual(
      [replaced.body.displayname, replaced.body.position, replaced.body.type],
      [null, 'Head of stores', 'internal'],
    )
  })

  it('reject invalid values, and change nothing', async () => {
    const before = (await member.get(PATH)).body
    const [{ pk: foreign }] = await service.rows(`insert into user_group (name) values ('foreign') returning pk`)
    for (const [body, field] of [
      [{ type: 'boss' }, 'type'],
      [{ language: 'x'.repeat(11) }, 'language'],
      [{ primary_group: foreign }, 'primary_group'],
      [{ primary_group: 999_999 }, 'primary_group'],
    ] as const) {
      const response = await member.patch(PATH, body)
      assert.deepEqual([response.status, Object.keys(response.body)], [400, [field]])
    }
    assert.deepEqual((await member.get(PATH)).body, before)
    const [{ group }] = await service.rows('select "group" from user_group_member where "user" = $1', [service.getPk('member')])
    assert.equal((await member.patch(PATH, { primary_group: group })).body.primary_group, group)
  })
})
