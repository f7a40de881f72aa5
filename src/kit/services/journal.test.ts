import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { pino } from 'pino'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { scaleTimeout } from '../../testing/slowness.ts'
import { Database } from '../sql/tx.ts'
import { Journal } from './journal.ts'

let database: TestDatabase
const logLines: string[] = []
const log = pino({ level: 'error' }, { write: (line: string) => void logLines.push(line) })
const insert = 'insert into project_code (code) select code from json_to_recordset($1::json) as row (code text)'

const readCodes = async (): Promise<string[]> =>
  (await database.pool.query('select code from project_code order by pk')).rows.map(({ code }) => code)

before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())
beforeEach(async () => {
  logLines.length = 0
  await database.pool.query('delete from project_code')
})

describe('the journal', () => {
  it('writes rows together, in the order in which they were added', async () => {
    let statements = 0
    const countingDatabase = new (class extends Database {
      override executeUnsynced(...args: Parameters<Database['executeUnsynced']>): Promise<void> {
        statements++
        return super.executeUnsynced(...args)
      }
    })(database.pool)
    const journal = new Journal(countingDatabase, log)
    const names = Array.from({ length: 200 }, (_, index) => `code ${index}`)
    for (const code of names) {
      await journal.add({ insert, row: { code } })
      // they are added in different turns of the event loop
      await new Promise(setImmediate)
    }
    await journal.flush()
    assert.deepEqual(await readCodes(), names)
    assert.ok(statements < 20, `${statements} statements`)
  })

  it('writes rows by itself, after a short delay', { timeout: scaleTimeout(30_000) }, async () => {
    const journal = new Journal(new Database(database.pool), log)
    await journal.add({ insert, row: { code: 'alone' } })
    assert.deepEqual(await readCodes(), [])
    while ((await readCodes()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.deepEqual(await readCodes(), ['alone'])
  })

  it('makes flush() wait for rows added before, and for no others', { timeout: scaleTimeout(30_000) }, async () => {
    const journal = new Journal(new Database(database.pool), log)
    let isOver = false
    const adding = (async () => {
      for (let number = 0; !isOver; number++) {
        await journal.add({ insert, row: { code: `endless ${number}` } })
        await new Promise(setImmediate)
      }
    })()
    await journal.add({ insert, row: { code: 'awaited' } })
    await journal.flush()
    assert.ok((await readCodes()).includes('awaited'))
    isOver = true
    await adding
    await journal.flush()
  })

  it('buffers at most the maximum number of rows, and makes further callers wait', async () => {
    const journal = new Journal(new Database(database.pool), log, 3)
    const blocking = await database.pool.connect()
    await blocking.query('begin; lock table project_code in exclusive mode')
    const added = new Set<number>()
    const adding = Array.from({ length: 20 }, (_, index) =>
      journal.add({ insert, row: { code: `${index}` } }).then(() => added.add(index)),
    )
    // the first rows are being written, and at most the maximum number wait behind them
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.ok(added.size <= 6, `${added.size} were accepted`)
    await blocking.query('commit')
    blocking.release()
    await Promise.all(adding)
    await journal.flush()
    assert.deepEqual(new Set(await readCodes()), new Set(Array.from({ length: 20 }, (_, index) => `${index}`)))
  })

  it('logs rows that it could not write, and continues', async () => {
    const journal = new Journal(new Database(database.pool), log)
    await journal.add({ insert: 'insert into nowhere select $1::json', row: {} })
    await journal.flush()
    await journal.add({ insert, row: { code: 'after' } })
    await journal.flush()
    assert.deepEqual([await readCodes(), logLines.length], [['after'], 1])
  })
})
