import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ROOT } from '../paths.ts'
import { childEnvironment } from '../testing/child-environment.ts'
import { createTestDatabase } from '../testing/database.ts'
import { type FixtureRecord, writeDumpFile } from './fixture.ts'

/** Maximum megabytes of objects that the import may hold. The dump has 70 MB; read as a whole it took 400. */
const MAX_HEAP_MB = 64

/** Records of each kind: ones that are not imported, stock history, stock items, and their parts. */
const COUNTS = { outputs: 60_000, history: 35_000, items: 4900, parts: 100 }
const RECORD_COUNT = 100_000

/** Generates records in an order in which none can be loaded directly. */
function* generateRecords(): Generator<FixtureRecord> {
  const { outputs, history, items, parts } = COUNTS
  // longer than what is stored of a record, so that the test exercises the import instead of the database
  const filler = 'Moved to another room. '.repeat(20)
  for (let pk = 1; pk <= outputs; pk++) yield { model: 'label.labeloutput', pk, fields: { label: '', filler } }
  for (let pk = 1; pk <= history; pk++) {
    const fields = { item: 1 + (pk % items), tracking_type: 20, deltas: { location: 3, quantity: 1.5 }, filler }
    yield { model: 'stock.stockitemtracking', pk, fields }
  }
  for (let pk = 1; pk <= items; pk++) {
    const fields = { part: 1 + (pk % parts), serial: `${pk}`, parent: pk % 10 ? null : pk - 1, filler }
    yield { model: 'stock.stockitem', pk, fields }
  }
  for (let pk = 1; pk <= parts; pk++) yield { model: 'part.part', pk, fields: { name: `Part ${pk}`, trackable: true } }
}

async function writeDump(): Promise<string> {
  const path = writeDumpFile('')
  const file = createWriteStream(path)
  let separator = '[\n'
  for (const record of generateRecords()) {
    if (!file.write(`${separator}${JSON.stringify(record, null, 2)}`)) await once(file, 'drain')
    separator = ',\n'
  }
  file.end('\n]\n')
  await once(file, 'close')
  return path
}

test('a dump loads in memory that does not grow with its size', async () => {
  const database = await createTestDatabase(2)
  after(database.drop)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [`--max-old-space-size=${MAX_HEAP_MB}`, join(ROOT, 'src/stockroom.js'), 'import', await writeDump()],
    { env: { ...childEnvironment, DATABASE_URL: database.url, LOG_LEVEL: 'warn' }, encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr.slice(-2000))
  assert.match(stdout, new RegExp(`total +${RECORD_COUNT} +${RECORD_COUNT - COUNTS.outputs} +${COUNTS.outputs}`))
  const { rows } = await database.pool.query(
    `select (select count(*)::int from stock_tracking) history, (select sum(in_stock)::int from part_quantity) stock`,
  )
  assert.deepEqual(rows, [{ history: COUNTS.history, stock: COUNTS.items }])
})
