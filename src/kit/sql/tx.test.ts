import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createPool } from '../../database/connect.ts'
import { TextQuery } from '../../database/text-query.ts'
import { testService } from '../../testing/service.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { waitUntil } from '../../testing/until.ts'
import { Database } from './tx.ts'

const service = await testService()
const codesUrl = '/api/project-code/'

describe('a transaction', () => {
  it('stays committed and is not retried when an effect after it fails', async () => {
    const failures: unknown[] = []
    const database = new Database(service.pool, (error) => failures.push(error))
    let attempts = 0
    const result = await database.transaction(async (tx) => {
      attempts++
      await tx.query(`insert into project_code (code) values ('EFFECT')`)
      tx.after(() => {
        throw Object.assign(new Error('mail'), { code: '40001' })
      })
      return 'done'
    })
    assert.equal(result, 'done')
    assert.equal(attempts, 1)
    assert.equal(failures.length, 1)
    assert.equal((await service.rows(`select 1 from project_code where code = 'EFFECT'`)).length, 1)
  })

  it('reports a possible change only if a statement was sent', async () => {
    let commits = 0
    const database = new Database(service.pool, undefined, () => commits++)
    let effects = 0
    await database.transaction(async (tx) => {
      tx.lockShared()
      tx.after(() => effects++)
    })
    assert.deepEqual([commits, effects], [0, 1])
    await database.transaction((tx) => tx.query('select'))
    await database.transaction(async (tx) => tx.atCommit({ text: 'select' }))
    assert.equal(commits, 2)
  })

  it('leaves nothing behind when its first statement fails, and the connection stays usable', async () => {
    const database = new Database(service.pool)
    for (let round = 0; round < 15; round++) {
      await assert.rejects(
        database.transaction((tx) => tx.queryAsText({ text: 'select nonsense from nowhere' })),
        /nowhere/,
      )
      await assert.rejects(
        database.transaction((tx) => tx.queryAsText({ text: 'select $1::integer', values: ['x'] })),
        /integer/,
      )
      assert.deepEqual(await database.queryAsText({ text: 'select $1::integer, null', values: [round] }), [[String(round), null]])
    }
  })

  it('rejects a value that cannot be sent instead of hanging', () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    assert.throws(() => new TextQuery({ text: 'select $1', values: [circular] }))
  })
})

describe('atCommit()', () => {
  const database = new Database(service.pool)
  const insert = (code: string) => ({ text: 'insert into project_code (code) values ($1)', values: [code] })
  const selectCodesSql = `select code from project_code where code like 'LAST%' order by pk`
  const readCodes = async () => (await service.rows(selectCodesSql)).map(({ code }) => code)

  it('runs its statements after all others, in order, and also without others', async () => {
    const readRows = await database.transaction(async (tx) => {
      tx.atCommit(insert('LAST 2'), insert('LAST 3'))
      await tx.pipeline(insert('LAST 1'))
      return tx.query(selectCodesSql)
    })
    assert.deepEqual(readRows, [{ code: 'LAST 1' }])
    await database.transaction(async (tx) => tx.atCommit(insert('LAST 4')))
    assert.deepEqual(await readCodes(), ['LAST 1', 'LAST 2', 'LAST 3', 'LAST 4'])
  })

  it('rolls back the whole transaction when one of its statements fails', async () => {
    for (let round = 0; round < 3; round++)
      await assert.rejects(
        database.transaction(async (tx) => {
          await tx.pipeline(insert('LAST 5'))
          tx.atCommit(insert('LAST 6'), insert('LAST 1'))
        }),
        { code: '23505' },
      )
    assert.equal((await readCodes()).length, 4)
  })

  it('runs its statements earlier if the rest of the transaction reads what they write', async () => {
    const readRows = await database.transaction(async (tx) => {
      tx.atCommit(insert('LAST 7'))
      await tx.runCommitStatements()
      return tx.query(`${selectCodesSql} desc limit 1`)
    })
    assert.deepEqual(readRows, [{ code: 'LAST 7' }])
    assert.equal((await readCodes()).length, 5)
  })

  it('cannot be called by a reader of the transaction', async () => {
    await database.transaction(async (tx) => {
      await tx.pipeline(insert('LAST 8'))
      await tx.withReader(5_000, async (reader) => {
        assert.equal((await reader.read({ text: `${selectCodesSql} desc limit 1` }))[0]?.code, 'LAST 8')
        const change = reader.transaction(async (tx) => tx.atCommit(insert('LAST 9')))
        await assert.rejects(change, { code: 'permission_denied' })
      })
    })
    assert.equal((await readCodes()).length, 6)
  })
})

describe('a savepoint', () => {
  const database = new Database(service.pool)
  const insert = (code: string) => ({ text: 'insert into project_code (code) values ($1)', values: [code] })

  it('rolls back its work and its statements for the commit, and the transaction continues', async () => {
    const effects: string[] = []
    await database.transaction(async (tx) => {
      tx.atCommit(insert('SAVED 2'))
      await tx.savepoint(() => tx.pipeline(insert('SAVED 1')))
      for (let round = 0; round < 2; round++)
        await assert.rejects(
          tx.savepoint(async () => {
            await tx.pipeline(insert('SAVED 3'))
            tx.atCommit(insert('SAVED 4'))
            tx.after(() => effects.push('undone'))
            await tx.savepoint(() => tx.pipeline(insert('SAVED 5')))
            await tx.pipeline(insert('SAVED 1'))
          }),
          { code: '23505' },
        )
      tx.after(() => effects.push('done'))
    })
    const rows = await service.rows(`select code from project_code where code like 'SAVED%' order by pk`)
    assert.deepEqual(rows, [{ code: 'SAVED 1' }, { code: 'SAVED 2' }])
    assert.deepEqual(effects, ['done'])
  })
})

describe('the rows of a statement', () => {
  it('have the same names and types on every run on a connection', async () => {
    const pool = createPool(service.databaseUrl, 1)
    const database = new Database(pool)
    for (let round = 1; round <= 4; round++) {
      const [row] = await database.transaction((tx) =>
        tx.query(
          'select $1::integer as number, null::text as nothing, array[1, 2] as list, 1.50::numeric as exact, true as flag',
          [round],
        ),
      )
      assert.deepEqual(row, { number: round, nothing: null, list: [1, 2], exact: '1.50', flag: true })
      assert.deepEqual(
        await database.transaction((tx) => tx.query('select $1::date as day where $2', ['2030-01-02', round > 2])),
        round > 2 ? [{ day: '2030-01-02' }] : [],
      )
    }
    await pool.end()
  })
})

describe('a pipeline', () => {
  it('returns the rows of each statement with their own names and types, on a connection that has prepared them and on one that has not', async () => {
    const database = new Database(createPool(service.databaseUrl, 1, { canExitWhileIdle: true }))
    for (let round = 0; round < 4; round++) {
      const lists = await database.transaction(async (tx) => {
        return tx.pipeline(
          { text: 'select 1 as one, $1::text as two', values: ['2'] },
          { text: 'select n::numeric as decimal from generate_series(1, $1::integer) n', values: [round] },
          { text: `update project_code set description = 'none' where pk = -1` },
          { text: 'select array[1, 2]::integer[] as list' },
        )
      })
      const decimals = Array.from({ length: round }, (_, at) => ({ decimal: String(at + 1) }))
      assert.deepEqual(lists, [[{ one: 1, two: '2' }], decimals, [], [{ list: [1, 2] }]])
    }
  })

  it('gives each statement as much time as it would have alone, and stops after one that fails', async () => {
    const pool = createPool(service.databaseUrl, 1, { statementTimeout: 5_000, responseTimeout: 400 })
    const database = new Database(pool)
    const sleep = { text: 'select pg_sleep(0.3)' }
    const lists = await database.transaction((tx) => tx.pipeline(sleep, sleep, { text: 'select 1 as one' }))
    assert.deepEqual(lists[2], [{ one: 1 }])
    const sequence = `create sequence drawn`
    await database.execute(sequence)
    await assert.rejects(
      database.transaction((tx) => tx.pipeline({ text: 'select 1 / 0' }, { text: `select nextval('drawn')` })),
      { code: '22012' },
    )
    assert.deepEqual(await database.read({ text: 'select is_called from drawn' }), [{ is_called: false }])
    await pool.end()
  })

  it('lets a statement see the current state of rows that earlier ones locked', async () => {
    const database = new Database(service.pool)
    await database.transaction((tx) => tx.query(`insert into project_code (code, description) values ('TOGETHER', 'before')`))
    const isLocked = Promise.withResolvers<void>()
    const canContinue = Promise.withResolvers<void>()
    const other = database.transaction(async (tx) => {
      await tx.query(`update project_code set description = 'after' where code = 'TOGETHER'`)
      isLocked.resolve()
      await canContinue.promise
    })
    await isLocked.promise
    const [, readRows] = await database.transaction(async (tx) => {
      const lists = tx.pipeline(
        { text: `select from project_code where code = 'TOGETHER' for update` },
        { text: `select description from project_code where code = 'TOGETHER'` },
      )
      await waitUntil(
        async () => (await service.rows('select 1 from pg_locks where not granted')).length > 0,
        'it does not wait for the lock',
      )
      canContinue.resolve()
      return lists
    })
    await other
    assert.deepEqual(readRows, [{ description: 'after' }])
  })
})

describe('a transaction with a reader', () => {
  const database = new Database(service.pool)
  const readCodes = (reader: Pick<Database, 'read'>) =>
    reader.read<{ code: string }>({ text: `select code from project_code where code like 'LENT%' order by code` })
  const insertCodeSql = 'insert into project_code (code) values ($1)'

  it('shows its uncommitted changes to its reader only', async () => {
    await database.transaction(async (tx) => {
      assert.deepEqual(await tx.withReader(5_000, readCodes), [])
      await tx.query(insertCodeSql, ['LENT 1'])
      assert.deepEqual(await tx.withReader(5_000, readCodes), [{ code: 'LENT 1' }])
      assert.deepEqual(await readCodes(database), [])
    })
    assert.deepEqual(await readCodes(database), [{ code: 'LENT 1' }])
  })

  it('is unchanged by anything that a reader does', async () => {
    await database.transaction(async (tx) => {
      await tx.query(insertCodeSql, ['LENT 2'])
      await tx.withReader(5_000, async (reader) => {
        for (const text of [insertCodeSql, 'delete from project_code where code = $1', 'select nextval($1)'])
          await assert.rejects(reader.read({ text, values: [`project_code_pk_seq`] }), { code: 'permission_denied' })
        await assert.rejects(reader.queryAsText({ text: 'select nonsense from nowhere' }), /nowhere/)
        await assert.rejects(reader.queryAsText({ text: `select '' ~ $1`, values: ['('], timeLimit: 50 }), { code: '2201B' })
        assert.deepEqual(await reader.transaction((tx) => tx.first('select 1 as one')), { one: 1 })
        const change = reader.transaction((tx) => tx.query(insertCodeSql, ['LENT 9']))
        await assert.rejects(change, { code: 'permission_denied' })
        await reader.read({ text: `select set_config('timezone', 'Asia/Tokyo', true), pg_advisory_xact_lock(4711)` })
      })
      assert.deepEqual(await tx.first(`select current_setting('timezone') as zone`), { zone: 'UTC' })
      assert.deepEqual(await service.rows('select pg_try_advisory_xact_lock(4711) as free'), [{ free: true }])
      await tx.query(insertCodeSql, ['LENT 3'])
    })
    assert.equal((await readCodes(database)).length, 3)
  })

  it('serves readers one at a time, and none after the timeout', async () => {
    await database.transaction(async (tx) => {
      await tx.query(insertCodeSql, ['LENT 4'])
      const numbers = await tx.withReader(5_000, (reader) =>
        Promise.all(['1', '2', '3'].map((number) => reader.queryAsText({ text: 'select $1', values: [number] }))),
      )
      assert.deepEqual(numbers.flat(2), ['1', '2', '3'])
      const started = performance.now()
      await tx.withReader(50, async (reader) => {
        const longQuery = { text: 'select pg_sleep(60)', timeLimit: 60_000 }
        await assert.rejects(reader.queryAsText(longQuery), { code: 'unavailable' })
        await assert.rejects(reader.queryAsText(longQuery), { code: 'unavailable' })
      })
      assert.ok(performance.now() - started < scaleTimeout(10_000))
      await tx.query(insertCodeSql, ['LENT 5'])
    })
    assert.equal((await readCodes(database)).length, 5)
  })

  it('continues only after the last statement of a reader, and then rejects further ones', async () => {
    await database.transaction(async (tx) => {
      let pendingReads: Promise<unknown> | undefined
      const reader = await tx.withReader(5_000, async (reader) => {
        pendingReads = Promise.all([readCodes(reader), assert.rejects(readCodes(reader), { code: 'unavailable' })])
        return reader
      })
      await tx.query(insertCodeSql, ['LENT 6'])
      await pendingReads
      await assert.rejects(readCodes(reader), { code: 'unavailable' })
    })
    assert.equal((await readCodes(database)).length, 6)
  })

  it('rolls back with all its changes', async () => {
    const failedTransaction = database.transaction(async (tx) => {
      await tx.query(insertCodeSql, ['LENT 7'])
      await tx.withReader(5_000, async (reader) => {
        await readCodes(reader)
        throw new Error('no')
      })
    })
    await assert.rejects(failedTransaction, /no/)
    assert.equal((await readCodes(database)).length, 6)
  })
})

describe('a read', () => {
  it('keeps the connection and its prepared statements after an invalid value or a timeout', async () => {
    const pool = createPool(service.databaseUrl, 1)
    const database = new Database(pool)
    const readProcessId = async () => (await database.queryAsText({ text: 'select pg_backend_pid()' }))[0]?.[0]
    const initialProcessId = await readProcessId()
    await assert.rejects(database.queryAsText({ text: `select '' ~ $1`, values: ['('] }), { code: '2201B' })
    await assert.rejects(database.queryAsText({ text: 'select pg_sleep(60)', timeLimit: 50 }), { code: '57014' })
    assert.equal(await readProcessId(), initialProcessId)
    assert.deepEqual(await database.queryAsText({ text: `select current_setting('statement_timeout')` }), [['30s']])
    await assert.rejects(database.queryAsText({ text: 'select nonsense' }), { code: '42703' })
    assert.notEqual(await readProcessId(), initialProcessId)
    await pool.end()
  })
})

describe('executeUnsynced()', () => {
  it('does not wait for the disk, while later statements do', async () => {
    const pool = createPool(service.databaseUrl, 1)
    const database = new Database(pool)
    const insertSql = `insert into project_code (code) values ('noted ' || current_setting('synchronous_commit') || $1) returning code`
    await database.execute('set synchronous_commit to on')
    await database.executeUnsynced({ text: insertSql, values: [''] })
    await database.read({ text: insertSql, values: [' after'] })
    const rows = await service.rows(`select code from project_code where code like 'noted %' order by pk`)
    assert.deepEqual(
      rows.map(({ code }) => code),
      ['noted off', 'noted on after'],
    )
    await pool.end()
  })
})

describe('a table with a column added by another node’s newer version', () => {
  it('still accepts writes of this version', async () => {
    const created = await service.superuser.post(codesUrl, { code: 'OLD' })
    const change = (description: string) => service.superuser.patch(`${codesUrl}${created.body.pk}/`, { description })
    // prepared from the second time on, on every connection of the pool
    for (let round = 0; round < 30; round++) assert.equal((await change(`${round}`)).status, 200)
    await service.pool.query('alter table project_code add column from_the_future integer')
    for (let round = 0; round < 30; round++) assert.equal((await change(`later ${round}`)).status, 200)
    assert.equal((await service.superuser.delete(`${codesUrl}${created.body.pk}/`)).status, 204)
  })
})

describe('an Idempotency-Key', () => {
  it('is rejected if the body is nested too deep to be compared', async () => {
    const body = `{"code": "DEEP", "extra": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const response = await service.superuser.send('POST', codesUrl, body, { 'idempotency-key': 'deep' })
    assert.equal(response.status, 400)
  })
})

describe('a URL with percent-encoded letters', () => {
  it('matches the same rules as the plain URL', async () => {
    const body = { username: 'superuser', password: 'wrong' }
    const response = await service.anonymous.send('POST', '/api/%61uth/login/', body, { authorization: 'Token nonsense' })
    assert.equal(response.status, 400, 'a stale token is ignored at sign-in, however the URL is encoded')
  })
})
