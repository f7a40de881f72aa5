import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testService } from '../../testing/service.ts'
import { sweep } from './housekeeping.ts'

const service = await testService()
const { services } = service.app.routes
const user = service.getPk('member')

test('housekeeping deletes expired rows, and nothing else', async () => {
  const rows: [string, string][] = [
    ['throttle (key, points, expire)', `('old', 1, 1), ('new', 1, extract(epoch from now()) * 1000 + 60000)`],
    [
      'user_session ("user", id_hash, expires)',
      `(${user}, 'a', now() - interval '1 second'), (${user}, 'b', now() + interval '1 day')`,
    ],
    [
      'api_token ("user", salt, key_hash, revoked, created, last_seen, expiry)',
      `(${user}, '', 'a', true, now() - interval '40 days', current_date - 31, null),
       (${user}, '', 'b', true, now() - interval '31 days', null, null),
       (${user}, '', 'c', false, now() - interval '400 days', current_date, current_date - 31),
       (${user}, '', 'd', true, now() - interval '40 days', current_date - 29, null)`,
    ],
    [
      'account_link (kind, "user", address, token_hash, bound_to, expires)',
      `('reset', ${user}, '', 'a', '', now() - interval '8 days'), ('reset', ${user}, '', 'b', '', now() - interval '6 days')`,
    ],
    [
      'outgoing_mail (kind, address, state, created)',
      `('reset', '', 'sent', now() - interval '31 days'), ('reset', '', 'queued', now() - interval '31 days')`,
    ],
    [
      'idempotency_key ("user", key, method, path, body_hash, created)',
      `(${user}, 'a', 'POST', '', '', now() - interval '8 days'), (${user}, 'b', 'POST', '', '', now() - interval '6 days')`,
    ],
    [
      'printed_file (file, name, created)',
      `('a.pdf', 'a.pdf', now() - interval '6 days'), ('b.pdf', 'b.pdf', now() - interval '4 days')`,
    ],
    [
      'notification ("user", category, name, creation)',
      `(${user}, '', '', now() - interval '31 days'), (${user}, '', '', now() - interval '29 days')`,
    ],
    ['told_notice (category, target, told)', `('a', 1, now() - interval '31 days'), ('a', 2, now() - interval '8 days')`],
    [
      'barcode_scan (action, endpoint, result, status, timestamp)',
      `('scan', '', true, 201, now() - interval '91 days'), ('scan', '', true, 201, now() - interval '89 days')`,
    ],
    ['error_report (info, "when")', `('old', now() - interval '31 days'), ('new', now() - interval '29 days')`],
    [
      'barcode_batch_entry ("user", id, entry_hash, created)',
      `(${user}, 'a', '', now() - interval '31 days'), (${user}, 'b', '', now() - interval '29 days 12 hours')`,
    ],
    [
      'news_entry (feed_id, title, link, published)',
      `('a', '', '', now() - interval '366 days'), ('b', '', '', now() - interval '300 days')`,
    ],
    [
      'stock_adjustment (id, "user", action, before, created)',
      `(gen_random_uuid(), ${user}, 'add', '[]', now() - interval '25 hours'), (gen_random_uuid(), ${user}, 'add', '[]', now() - interval '23 hours')`,
    ],
    ['security_event (kind, created)', `('sign_in', now() - interval '366 days'), ('sign_in', now() - interval '300 days')`],
  ]
  for (const [into, values] of rows) {
    const table = into.split(' ', 1)[0] as string
    await service.pool.query(`delete from ${table}`)
    await service.pool.query(`insert into ${into} values ${values}`)
  }
  await sweep(services)
  for (const [into] of rows) {
    const table = into.split(' ', 1)[0] as string
    assert.deepEqual(await service.rows(`select count(*)::integer as left from ${table}`), [{ left: 1 }], table)
  }
})

test('housekeeping keeps other tokens', async () => {
  await service.pool.query('delete from api_token')
  await service.pool.query(
    `insert into api_token ("user", salt, key_hash, revoked, created, last_seen, expiry) values
       (${user}, '', 'a', false, now() - interval '400 days', current_date - 300, null),
       (${user}, '', 'b', false, now() - interval '400 days', current_date - 300, current_date - 29),
       (${user}, '', 'c', true, now(), null, null)`,
  )
  await sweep(services)
  assert.deepEqual(await service.rows('select count(*)::integer as left from api_token'), [{ left: 3 }])
})

test('housekeeping deletes a large backlog in batches of at most the given size, and keeps locked rows', async () => {
  await service.pool.query('delete from throttle')
  await service.pool.query(`insert into throttle (key, points, expire) select 'old ' || n, 1, 1 from generate_series(1, 25) n`)
  // counts the rows that each statement deletes
  await service.pool.query(`
    create table deleted_at_once (pk serial, count integer);
    create function count_deleted() returns trigger language plpgsql as
      $$ begin insert into deleted_at_once (count) select count(*) from removed; return null; end $$;
    create trigger count_deleted after delete on throttle referencing old table as removed for each statement execute function count_deleted()`)
  const lockingClient = await service.pool.connect()
  await lockingClient.query('begin')
  await lockingClient.query(`select from throttle where key = 'old 7' for update`)
  await sweep(services, 10)
  await lockingClient.query('commit')
  lockingClient.release()
  assert.deepEqual(await service.rows('select count from deleted_at_once order by pk'), [
    { count: 10 },
    { count: 10 },
    { count: 4 },
  ])
  assert.deepEqual(await service.rows('select key from throttle'), [{ key: 'old 7' }])
})

test('housekeeping merges the change counters of ended connections, and keeps their sum', async () => {
  const readCounters = () =>
    service.rows(
      `select sum(value)::integer as sum, count(*) filter (where slot > 1000000000)::integer as ended from change_counter where table_name = 'project_code'`,
    )
  await service.rows(
    `insert into change_counter (table_name, slot, value) select 'project_code', 1000000000 + n, n from generate_series(1, 10) n`,
  )
  const [before] = await readCounters()
  assert.equal(before.ended, 10)
  await sweep(services)
  assert.deepEqual(await readCounters(), [{ sum: before.sum, ended: 0 }])
})

test('housekeeping deletes completed background tasks after a day, and failed ones after the configured time', async () => {
  await service.pool.query(
    `insert into pgboss.job (name, state, completed_on, data)
     select 'demo', state::pgboss.job_state, now() - make_interval(hours => hours), json_build_object('hours', hours)
     from (values ('completed', 25), ('completed', 23), ('failed', 24 * 31), ('failed', 24 * 29), ('cancelled', 24 * 31))
       job (state, hours)`,
  )
  await sweep(services)
  const remainingJobs = await service.rows(
    `select state::text, (data->>'hours')::integer as hours from pgboss.job where name = 'demo' order by 1`,
  )
  assert.deepEqual(remainingJobs, [
    { state: 'completed', hours: 23 },
    { state: 'failed', hours: 24 * 29 },
  ])
  await service.pool.query(`delete from pgboss.job where name = 'demo'`)
})

/** Changes global settings, runs housekeeping, and resets them. */
async function sweepWith(values: Record<string, boolean | number>): Promise<void> {
  const before: [string, unknown][] = []
  for (const [key, value] of Object.entries(values)) {
    const path = `/api/settings/global/${key}/`
    before.push([path, (await service.superuser.get(path)).body.value])
    assert.equal((await service.superuser.patch(path, { value })).status, 200)
  }
  await sweep(services)
  for (const [path, value] of before) await service.superuser.patch(path, { value })
}

test('housekeeping deletes emails after the configured time, unless their log is protected', async () => {
  const insert = `insert into outgoing_mail (kind, address, state, created) values
    ('reset', '', 'sent', now() - interval '11 days'), ('reset', '', 'sent', now() - interval '9 days')`
  const count = async () => (await service.rows('select count(*)::integer as left from outgoing_mail'))[0].left
  await service.pool.query('delete from outgoing_mail')
  await service.pool.query(insert)
  await sweepWith({ INVENTREE_DELETE_EMAIL_DAYS: 10, INVENTREE_PROTECT_EMAIL_LOG: true })
  assert.equal(await count(), 2)
  await sweepWith({})
  assert.equal(await count(), 2)
  await sweepWith({ INVENTREE_DELETE_EMAIL_DAYS: 10 })
  assert.equal(await count(), 1)
})

test('housekeeping deletes stocktakes of parts only if the settings ask for it', async () => {
  const [part] = await service.rows(`insert into part (name, description) values ('Counted', '') returning pk`)
  await service.rows(
    `insert into part_stocktake (part, quantity, date, cost_min_currency, cost_max_currency)
     select $1, 1, current_date - days, 'USD', 'USD' from unnest(array[61, 59]) days`,
    [part.pk],
  )
  const count = async () => (await service.rows('select count(*)::integer as left from part_stocktake'))[0].left
  await sweepWith({ STOCKTAKE_DELETE_DAYS: 60 })
  assert.equal(await count(), 2)
  await sweepWith({ STOCKTAKE_DELETE_DAYS: 60, STOCKTAKE_DELETE_OLD_ENTRIES: true })
  assert.equal(await count(), 1)
})
