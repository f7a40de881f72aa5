import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Browser } from '../../../testing/servers/browser.ts'
import { startTestOpenidProvider } from '../../../testing/servers/openid.ts'
import { reserveSite, startTestSite } from '../../../testing/single-sign-on.ts'

const reservedSite = await reserveSite()
const own = await startTestOpenidProvider({ redirectUris: [reservedSite.callback('own')] })
const service = await startTestSite(reservedSite, [
  { id: 'own', issuer: own.issuer, client_id: own.clientId, client_secret: own.clientSecret },
])
const { changeSettings, superuser } = service

for (const name of ['Buyers', 'Sellers', 'Own']) await superuser.post('/api/user/group/', { name })

const listGroups = async (username: string): Promise<string[]> =>
  (
    await service.rows(
      `select g.name from user_group_member m join user_group g on g.pk = m."group" join user_account u on u.pk = m."user"
       where u.username = $1 order by g.name`,
      [username],
    )
  ).map(({ name }) => name)

/** Sets the groups of the viewer, signs in with an account at the provider, and returns the groups of the viewer afterwards. */
async function signIn(before: readonly string[], claims: object): Promise<string[]> {
  const viewer = service.getPk('viewer')
  await service.rows('delete from user_group_member where "user" = $1', [viewer])
  await service.rows(
    'insert into user_group_member ("user", "group") select $1, pk from user_group where name = any($2::text[])',
    [viewer, before],
  )
  await service.rows('delete from social_account')
  await service.link('viewer', { id: 'own', issuer: own.issuer }, own.createPerson(claims))
  assert.equal(await service.signInAtProvider(new Browser(), 'own'), '/')
  return listGroups('viewer')
}

const MAP = JSON.stringify({ purchasing: 'Buyers', sales: 'Sellers', gone: 'No such group' })

describe('groups of a provider', () => {
  it('change nothing while LOGIN_ENABLE_SSO_GROUP_SYNC is off', async () => {
    await changeSettings({ SSO_GROUP_MAP: MAP })
    assert.deepEqual(await signIn(['Own'], { groups: ['purchasing'] }), ['Own'])
  })

  it('replace those of the account, or are added if SSO_REMOVE_GROUPS is off', async () => {
    await changeSettings({ LOGIN_ENABLE_SSO_GROUP_SYNC: true })
    assert.deepEqual(await signIn(['Own', 'Sellers'], { groups: ['purchasing', 'gone', 'other'] }), ['Buyers'])
    assert.deepEqual(await signIn(['Own'], { groups: 'sales' }), ['Sellers'])
    assert.deepEqual(await signIn(['Own'], { groups: [] }), [])
    const [event] = await service.rows(`select details from security_event where kind = 'rights_changed' order by pk limit 1`)
    assert.deepEqual(event.details, { groups: { before: ['Own', 'Sellers'], after: ['Buyers'] }, provider: 'own' })
    await changeSettings({ SSO_REMOVE_GROUPS: false })
    assert.deepEqual(await signIn(['Own'], { groups: ['purchasing', 'sales'] }), ['Buyers', 'Own', 'Sellers'])
    await changeSettings({ SSO_REMOVE_GROUPS: true })
  })

  it('stay if the provider states none, or something else', async () => {
    for (const claims of [{}, { groups: null }, { groups: { purchasing: true } }])
      assert.deepEqual(await signIn(['Own'], claims), ['Own'], JSON.stringify(claims))
    await changeSettings({ SSO_GROUP_KEY: 'teams' })
    assert.deepEqual(await signIn(['Own'], { groups: ['purchasing'] }), ['Own'])
    await changeSettings({ SSO_GROUP_KEY: 'groups' })
  })

  it('are given to an account that single sign-on creates', async () => {
    await changeSettings({ LOGIN_ENABLE_SSO_REG: true, LOGIN_SIGNUP_SSO_AUTO: true })
    own.createPerson({ preferred_username: 'Nora', groups: ['sales'] })
    assert.equal(await service.signInAtProvider(new Browser(), 'own'), '/')
    assert.deepEqual(await listGroups('Nora'), ['Sellers'])
  })

  it('are set up by a superuser alone, as a JSON object', async () => {
    for (const [key, value] of Object.entries({
      LOGIN_ENABLE_SSO_GROUP_SYNC: false,
      SSO_GROUP_KEY: 'teams',
      SSO_GROUP_MAP: '{}',
      SSO_REMOVE_GROUPS: false,
    }))
      assert.equal((await service.staff.patch(`/api/settings/global/${key}/`, { value })).status, 403, key)
    for (const value of ['[]', 'x', '']) {
      const { status, body } = await superuser.patch('/api/settings/global/SSO_GROUP_MAP/', { value })
      assert.deepEqual([status, Object.keys(body)], [400, ['value']], value)
    }
  })
})
