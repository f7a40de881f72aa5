import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, test } from 'node:test'
import { Database } from '../../kit/sql/tx.ts'
import { ROOT } from '../../paths.ts'
import { childEnvironment } from '../../testing/child-environment.ts'
import { getEmptyStatement, refill } from '../../testing/refill.ts'
import { assertCallers, testService } from '../../testing/service.ts'
import { waitUntil } from '../../testing/until.ts'
import { checks } from './verification/checks.ts'
import { createVerifiableData } from './verification/fixture.ts'
import { executeRun, requestRun } from './verification/runs.ts'
import { type Finding, isConsistent, verifyStock } from './verification/verify-stock.ts'

const service = await testService()
const { staff } = service
const path = '/api/stock/verify/'

beforeEach(async () => {
  await refill(service, await getEmptyStatement(service, 'purchase_order', 'setting', 'stock_verification', 'linked_code'))
  await service.pool.query('select correct_total(relation), correct_holdings() from watched_table')
  await createVerifiableData(service)
})

/** Starts a run, waits for its end, and returns its findings. */
async function verify(): Promise<{ is_right: boolean; checks: Finding[] }> {
  const response = await staff.post(path)
  assert.equal(response.status, 201, response.text)
  await waitForEnd()
  const { last } = (await staff.get(path)).body
  assert.equal(last.failure, null)
  return last
}

const waitForEnd = () => waitUntil(async () => (await staff.get(path)).body.running === null, 'the run does not end', 60_000)

/** Executes a statement unchecked: without triggers and foreign key checks. */
async function tamper(statement: string): Promise<void> {
  const client = await service.pool.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(statement)
    await client.query('set session_replication_role = origin')
  } finally {
    client.release()
  }
}

describe(`POST ${path}`, () => {
  test('finds nothing in intact data', async () => {
    const { is_right, checks: findings } = await verify()
    assert.deepEqual([is_right, findings.filter(({ count }) => count > 0)], [true, []])
    assert.deepEqual(
      findings.map(({ name }) => name),
      checks.map(({ name }) => name),
    )
  })

  test('requires a staff account', async () => {
    await assertCallers(service, (client) => client.post(path), ['staff', 'superuser'])
    await waitForEnd()
  })

  test('allows one run at a time, and recovers if its process dies', async () => {
    const database = new Database(service.pool)
    const tryRequestRun = () => database.transaction((tx) => requestRun(tx))
    const run = (await tryRequestRun()) as number
    const { status, body } = await staff.post(path)
    assert.deepEqual([status, body], [400, { detail: 'A stock verification is already running.' }])
    assert.equal((await staff.get(path)).body.running.done, 0)

    // started by a live process
    await database.snapshot(async (read) => {
      await read(`select pg_advisory_xact_lock(hashtext('stock_verification'), ${run})`)
      await service.pool.query('update stock_verification set started = now(), done = 3')
      assert.equal(await tryRequestRun(), undefined)
      assert.equal((await staff.get(path)).body.running.done, 3)
    })
    // and that process has ended
    assert.notEqual(await tryRequestRun(), undefined)
    assert.match((await staff.get(path)).body.last.failure, /broken off/)
    assert.equal(await executeRun(database, run, { isThrottled: false }), undefined)
  })

  test('replaces a run that no process started', async () => {
    const database = new Database(service.pool)
    await database.transaction((tx) => requestRun(tx))
    assert.equal((await staff.post(path)).status, 400)
    await service.pool.query(`update stock_verification set requested = now() - interval '11 minutes'`)
    assert.equal((await verify()).is_right, true)
  })

  test('reads one snapshot, and changes nothing', async () => {
    await new Database(service.pool).snapshot(async (read) => {
      await read('select 1 from stock_item limit 1')
      await service.pool.query('update stock_item set quantity = 77 where pk = 1')
      assert.deepEqual(isConsistent(await verifyStock(read, { isThrottled: false })), true)
      await assert.rejects(read('update stock_item set quantity = 12 where pk = 1'), /read-only transaction/)
    })
    assert.equal((await verify()).is_right, false)
  })

  test('is aborted when the service stops', async () => {
    const stopping = new AbortController()
    const snapshot = new Database(service.pool).snapshot(async (read) => {
      queueMicrotask(() => stopping.abort())
      await read('select pg_sleep(60)')
    }, stopping.signal)
    await assert.rejects(snapshot, /Connection terminated/)
  })
})

describe('npm run verify', () => {
  const cli = join(ROOT, 'src/stockroom.js')
  const runVerify = async (): Promise<[number, string]> => {
    const env = {
      ...childEnvironment,
      DATABASE_URL: service.databaseUrl,
      SECRET_KEY: 'a test secret of thirty-two bytes or more',
    }
    const child = spawn(process.execPath, [cli, 'verify'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    return [status, output]
  }

  test('reports violations in its output and its exit status', async () => {
    assert.match((await runVerify()).join(), new RegExp(`^0,Stock is consistent: ${checks.length} checks in`))
    await tamper('update stock_item set quantity = 99 where pk = 1; update purchase_order set total_price = 14 where pk = 2')
    const [status, output] = await runVerify()
    assert.deepEqual(status, 2)
    for (const line of [
      'BROKEN, one object: The quantity of an item is its opening quantity plus the changes in its history.',
      '  stockitem 1 (Screw × 99): 99 on hand, but it opened with 10 and its history brought 2',
      'REVIEW, one object: The total of an order matches its lines.',
      '  purchaseorder 2 (PO-0002): total_price is 14.000000, counted 13.000000 EUR',
      `Stock is not consistent: ${checks.length} checks in`,
    ])
      assert.ok(output.includes(line), output)
    assert.equal((await staff.get(path)).body.last.is_right, false)
  })

  test('succeeds when objects only need review', async () => {
    await tamper('update purchase_order set total_price = 14 where pk = 2')
    assert.equal((await runVerify())[0], 0)
  })

  test('reports that a verification is already running', async () => {
    await new Database(service.pool).transaction((tx) => requestRun(tx))
    assert.equal((await runVerify())[0], 1)
  })
})

describe(`GET ${path}`, () => {
  test('returns null before the first run', async () =>
    assert.deepEqual((await staff.get(path)).body, { running: null, last: null }))

  test('requires a staff account', () => assertCallers(service, (client) => client.get(path), ['staff', 'superuser']))
})
