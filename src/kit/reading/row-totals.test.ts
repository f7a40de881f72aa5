import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { sweep } from '../../resources/background-task/housekeeping.ts'
import { getEmptyStatement, refill } from '../../testing/refill.ts'
import { testService } from '../../testing/service.ts'

const service = await testService()

/** Tables whose total differs from their rows; those that are yet to be counted are left out. */
const WRONG_TOTALS = `select name from watched_table where missing_rows(name, relation) <> 0
  and not exists (select from change_counter where table_name = name and slot = -1)`

const truncated = async () =>
  (await service.rows('select table_name from change_counter where slot = -1 order by 1')).map((row) => row.table_name)

/** Increases the total of project codes by seven. */
const distort = () =>
  service.rows(`insert into change_counter as counter (table_name, slot, value, rows) values ('project_code', 0, 1, 7)
    on conflict (table_name, slot) do update set value = counter.value + 1, rows = counter.rows + 7`)

/** The count that a list reports, and the real one. */
async function counts(path: string, table: string): Promise<[number, number]> {
  const [{ count }] = await service.rows(`select count(*)::integer as count from ${table}`)
  return [(await service.superuser.get(`${path}?limit=1`)).body.count, count]
}

beforeEach(async () => {
  await refill(service, await getEmptyStatement(service, 'company', 'project_code'))
  await service.rows('select correct_total(relation) from watched_table')
})

const company = fc.integer({ min: 1, max: 5 })
const rowCount = fc.integer({ min: 0, max: 4 })
const values = `'Company', 'USD'`
/** Statements that add rows, remove them or do neither. Rows that refer to a company are deleted with it. */
const changes = fc.oneof(
  company.map((pk) => `insert into company (pk, name, currency) values (${pk}, ${values}) on conflict do nothing`),
  fc.tuple(company, company).map(
    ([one, other]) =>
      `insert into company (pk, name, currency) select pk, ${values} from generate_series(${Math.min(one, other)}, ${Math.max(one, other)}) pk
         on conflict (pk) do update set name = excluded.name`,
  ),
  fc
    .tuple(company, rowCount)
    .map(([pk, n]) => `insert into contact (company, name) select ${pk}, 'x' from generate_series(1, ${n})`),
  fc
    .tuple(company, rowCount)
    .map(([pk, n]) => `insert into address (company, title) select ${pk}, 'x' from generate_series(1, ${n})`),
  company.map((pk) => `delete from company where pk = ${pk}`),
  company.map((pk) => `delete from contact where company = ${pk}`),
  company.map((pk) => `update company set name = name || 'x' where pk >= ${pk}`),
  company.map((pk) => `update contact set company = ${pk}`),
  company.map(
    (pk) =>
      `merge into company using generate_series(1, ${pk}) wanted on company.pk = wanted
       when matched and wanted % 2 = 0 then delete when matched then update set name = name || 'm'
       when not matched then insert (pk, name, currency) values (wanted, ${values})`,
  ),
  fc
    .tuple(company, rowCount)
    .map(
      ([pk, n]) => `copy contact (company, name) from program 'for i in $(seq ${n}); do echo "${pk},x"; done' with (format csv)`,
    ),
)
type Step = { change: string; outcome: 'kept' | 'back' }
const step: fc.Arbitrary<Step> = fc.record({ change: changes, outcome: fc.constantFrom('kept', 'kept', 'back') })
const transaction = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  end: fc.constantFrom('commit', 'commit', 'rollback'),
})

/** Runs transactions on one connection, one after the other; a failed step is rolled back to its savepoint. */
async function runTransactions(client: PoolClient, transactions: { steps: Step[]; end: string }[]): Promise<void> {
  await client.query(`set deadlock_timeout = '20ms'`)
  for (const { steps, end } of transactions) {
    await client.query('begin')
    for (const { change, outcome } of steps) {
      await client.query('savepoint before')
      try {
        await client.query(change)
        if (outcome === 'back') await client.query('rollback to before')
      } catch (error) {
        // a reference to a missing row, a duplicate key, or a deadlock
        assert.match((error as { code: string }).code, /^(23503|23505|40P01)$/, `${change}: ${error}`)
        await client.query('rollback to before')
      }
    }
    await client.query(end)
  }
}

describe('the total of a table', () => {
  it('equals its number of rows, in every snapshot, whatever is written by any connection', async () => {
    const scripts = fc.array(fc.array(transaction, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
    const property = fc.asyncProperty(scripts, async (scripts) => {
      let isOver = false
      const watching = async () => {
        do assert.deepEqual(await service.rows(WRONG_TOTALS), [])
        while (!isOver)
      }
      const writing = async () => {
        await Promise.all(
          scripts.map(async (transactions) => {
            const client = await service.pool.connect()
            try {
              await runTransactions(client, transactions)
            } finally {
              await client.query('rollback')
              client.release()
            }
          }),
        )
        isOver = true
      }
      await Promise.all([watching(), writing()])
      assert.deepEqual(await service.rows(WRONG_TOTALS), [])
      assert.deepEqual(await truncated(), [])
      assert.equal(...(await counts('/api/company/contact/', 'contact')))
    })
    await fc.assert(property, { numRuns: 25 })
  })

  for (const level of ['read committed', 'repeatable read'])
    it(`is recounted after TRUNCATE in ${level}, immediately by lists and permanently by the housekeeping`, async () => {
      await service.rows(`insert into project_code (code) values ('A'), ('B')`)
      const client = await service.pool.connect()
      await client.query(`begin transaction isolation level ${level}; select 1 from company`)
      await service.rows(`insert into project_code (code) values ('C')`)
      await client.query(`truncate project_code cascade; insert into project_code (code) values ('D'); commit`)
      client.release()
      assert.ok((await truncated()).includes('project_code'))
      assert.deepEqual(await counts('/api/project-code/', 'project_code'), [1, 1])
      await service.rows(`insert into project_code (code) values ('E')`)
      assert.deepEqual(await counts('/api/project-code/', 'project_code'), [2, 2])
      await sweep(service.app.routes.services)
      assert.deepEqual([await truncated(), await service.rows(WRONG_TOTALS)], [[], []])
      assert.deepEqual(await counts('/api/project-code/', 'project_code'), [2, 2])
    })

  it('is corrected by housekeeping if a change bypassed the triggers, and lists are invalidated', async () => {
    await service.rows(`insert into project_code (code) values ('A')`)
    const client = await service.pool.connect()
    await client.query(
      `begin; set local session_replication_role = replica; insert into project_code (code) values ('B'); commit`,
    )
    client.release()
    assert.deepEqual(await counts('/api/project-code/', 'project_code'), [1, 2])
    await sweep(service.app.routes.services)
    assert.deepEqual(await counts('/api/project-code/', 'project_code'), [2, 2])
  })

  it('is corrected during concurrent writes, by several connections at the same time', async () => {
    await distort()
    const writes = Array.from({ length: 100 }, (_, n) => service.rows('insert into project_code (code) values ($1)', [`${n}`]))
    const corrections = Array.from({ length: 10 }, () => service.rows(`select correct_total('project_code')`))
    await Promise.all([...writes, ...corrections])
    assert.deepEqual(await service.rows(WRONG_TOTALS), [])
  })

  it('replaces counting if there is no condition', async () => {
    await service.rows(`insert into project_code (code) values ('A')`)
    await distort()
    assert.deepEqual(await counts('/api/project-code/', 'project_code'), [8, 1])
    await service.rows('select correct_total(relation) from watched_table')
  })
})
