import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { waitForListeners } from '../../testing/listeners-caught-up.ts'
import { createAccount, signIn } from '../../testing/second-factor.ts'
import { startSecondNode } from '../../testing/second-node.ts'
import { startDatabaseProxy } from '../../testing/servers/database-proxy.ts'
import { testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'

const service = await testService({ TRUST_PROXY: 'true' })
const proxy = await startDatabaseProxy(service.databaseUrl)
/** Another node, which receives notifications through the proxy. */
const node = await startSecondNode(service, proxy.url)

let lastNumber = 0
/** Creates an account that the other node has cached. */
async function createCachedAccount() {
  const username = `cached${++lastNumber}`
  const pk = await createAccount(service, username)
  const authorization = `Token ${(await signIn(service, username)).body.key}`
  const readStatus = async () => (await node.inject({ url: '/api/user/me/', headers: { authorization } })).statusCode
  assert.equal(await readStatus(), 200)
  const deactivate = async () =>
    assert.equal((await service.superuser.patch(`/api/user/${pk}/`, { is_active: false })).status, 200)
  return { readStatus, deactivate }
}

const NAME_SETTING_PATH = '/api/settings/global/INVENTREE_INSTANCE/'
const rename = async (value: string) => assert.equal((await service.superuser.patch(NAME_SETTING_PATH, { value })).status, 200)
/** Returns the name of the service that the other node has cached. */
const readCachedName = async () => (await node.inject({ url: '/api/' })).json().instance
/** Whether the other node uses its cache: a change without a notification is then not visible. */
async function usesCache(): Promise<boolean> {
  const before = await readCachedName()
  const client = await service.pool.connect()
  try {
    await client.query('begin')
    await client.query('alter table setting disable trigger notify_setting')
    await client.query(`update setting set value = 'Behind ${++lastNumber}' where key = 'INVENTREE_INSTANCE'`)
    await client.query('alter table setting enable trigger notify_setting')
    await client.query('commit')
  } finally {
    client.release()
  }
  return (await readCachedName()) === before
}

describe('a node whose notification connection hangs', () => {
  it('rejects a deactivated account after two seconds, and reads changed settings', async () => {
    const account = await createCachedAccount()
    await rename('Before')
    await waitForListeners({ app: node, pool: service.pool })
    assert.equal(await readCachedName(), 'Before')
    assert.ok(await usesCache())

    proxy.freeze()
    const freezeTime = Date.now()
    await account.deactivate()
    await rename('After')
    await pause(freezeTime + 2_000 - Date.now())
    assert.equal(await account.readStatus(), 401)
    assert.equal(await readCachedName(), 'After')
  })

  it('bypasses its cache as long as the connection hangs', async () => {
    const account = await createCachedAccount()
    await account.deactivate()
    assert.equal(await account.readStatus(), 401)
    for (const name of ['One', 'Two', 'Three']) {
      await rename(name)
      const names = await Promise.all(Array.from({ length: 20 }, readCachedName))
      assert.deepEqual(names, Array(20).fill(name))
    }
    assert.ok(!(await usesCache()))
  })

  it('resumes caching by itself when the connection recovers', async () => {
    proxy.thaw()
    await waitUntil(usesCache, 'nothing is cached')
    const account = await createCachedAccount()
    await rename('Heard')
    await account.deactivate()
    await waitForListeners({ app: node, pool: service.pool })
    assert.equal(await account.readStatus(), 401)
    assert.equal(await readCachedName(), 'Heard')
    assert.ok(await usesCache())
  })
})
