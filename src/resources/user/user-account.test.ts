import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

/** Returns the notifications that are sent while `write` runs. */
async function collectNotifications(write: string): Promise<string[]> {
  const client = await database.pool.connect()
  const notifications: string[] = []
  const listen = ({ channel, payload }: { channel: string; payload?: string }) => notifications.push(`${channel} ${payload}`)
  try {
    client.on('notification', listen)
    await client.query('listen accounts; listen settings')
    await client.query(write)
    await pause(20)
    await client.query('unlisten *')
    return notifications.toSorted()
  } finally {
    client.off('notification', listen)
    client.release()
  }
}

test('new accounts and groups get an owner, and groups get view permissions for every role', async () => {
  const { pool } = database
  await pool.query(`insert into user_account (username) values ('ann'), ('bob'); insert into user_group (name) values ('makers')`)
  const owners = await pool.query('select "user", "group" from owner order by pk')
  assert.deepEqual(owners.rows, [
    { user: 1, group: null },
    { user: 2, group: null },
    { user: null, group: 1 },
  ])
  const rules = await pool.query(`
    select count(*)::int roles, bool_and(can_view) can_view, bool_or(can_add or can_change or can_delete) can_write from rule_set`)
  assert.deepEqual(rules.rows, [{ roles: 12, can_view: true, can_write: false }])
  await pool.query(`delete from user_account where username = 'bob'`)
  assert.equal((await pool.query('select from owner where "user" = 2')).rowCount, 0)
})

test('a username is unique regardless of case', async () => {
  await assert.rejects(database.pool.query(`insert into user_account (username) values ('ANN')`), {
    constraint: 'user_account_username_key',
  })
})

test('changes of cached account data send a notification', async () => {
  assert.deepEqual(await collectNotifications(`update user_account set is_staff = true where pk = 1`), ['accounts 1'])
  assert.deepEqual(await collectNotifications(`update user_account set last_login = now(), is_staff = true where pk = 1`), [])
  assert.deepEqual(await collectNotifications(`insert into user_group_member ("user", "group") values (1, 1)`), ['accounts 1'])
  assert.deepEqual(await collectNotifications(`update rule_set set can_add = true where name = 'part'`), ['accounts *'])
  await database.pool.query(`insert into api_token ("user", salt, key_hash) values (1, '\\x00', '\\x00')`)
  assert.deepEqual(await collectNotifications(`update api_token set last_seen = current_date`), [])
  assert.deepEqual(await collectNotifications(`update api_token set revoked = true`), ['accounts 1'])
  assert.deepEqual(await collectNotifications(`update user_account set pk = 7 where pk = 1`), ['accounts 1', 'accounts 7'])
  assert.deepEqual(await collectNotifications(`delete from user_account where pk = 7`), ['accounts 7'])
})

test('changes of settings send a notification', async () => {
  await database.pool.query(`insert into user_account (pk, username) values (20, 'cid')`)
  assert.deepEqual(await collectNotifications(`insert into setting (key, value) values ('A', '1'), ('B', '2')`), ['settings *'])
  assert.deepEqual(await collectNotifications(`insert into user_setting ("user", key, value) values (20, 'A', '1')`), [
    'settings 20',
  ])
})
