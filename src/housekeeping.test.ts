import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sweep } from './housekeeping.ts'
import { testService } from './testing/service.ts'

const service = await testService()
const user = service.pkOf('member')

test('what has had its time is deleted, and nothing else', async () => {
  const rows: [string, string][] = [
    ['throttle (key, points, expire)', `('old', 1, 1), ('new', 1, extract(epoch from now()) * 1000 + 60000)`],
    [
      'user_session ("user", id_hash, expires)',
      `(${user}, 'a', now() - interval '1 second'), (${user}, 'b', now() + interval '1 day')`,
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
    ['security_event (kind, created)', `('sign_in', now() - interval '366 days'), ('sign_in', now() - interval '300 days')`],
  ]
  for (const [into, values] of rows) {
    const table = into.split(' ', 1)[0] as string
    await service.pool.query(`delete from ${table}`)
    await service.pool.query(`insert into ${into} values ${values}`)
  }
  await sweep(service.app.routes.services.database)
  for (const [into] of rows) {
    const table = into.split(' ', 1)[0] as string
    assert.deepEqual(await service.rows(`select count(*)::integer as left from ${table}`), [{ left: 1 }], table)
  }
})
