import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ROOT } from '../paths.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { type FixtureRecord, LATER_MODELS, runWithoutLaterModels, writeDumpFile } from './fixture.ts'
import { importDump } from './import.ts'
import { getQuotedTable, kinds } from './loading/kinds.ts'
import { Dump } from './reading/dump.ts'
import { Problems } from './report.ts'

/** Kinds of newer dumps, whose tables hold the rows of several kinds of this one. */
const MERGED_MODELS = /^(common\.attachment|report\.(label|report)template)$/

const file = join(ROOT, '../shared/data/inventree-demo.json')

test('the dump of the public demo site loads in full, value by value', { skip: !existsSync(file) }, async () => {
  const { pool, drop } = await createTestDatabase(4)
  after(drop)
  const usageBefore = process.cpuUsage()
  const report = await importDump(pool, file, { skipInvalid: false })
  assert.ok(process.cpuUsage(usageBefore).user < 5_000_000)

  const sum = (count: 'read' | 'loaded') => report.kinds.reduce((total, kind) => total + kind[count], 0)
  assert.deepEqual({ read: sum('read'), loaded: sum('loaded') }, { read: 8481, loaded: 8481 })
  const remarks = report.kinds.filter(({ reason }) => reason !== '').map(({ model }) => model)
  assert.deepEqual(remarks, ['common.newsfeedentry'])

  const dump = await Dump.open(file, kinds, new Problems())
  after(() => dump.close())
  let compared = 0
  for (const kind of kinds) {
    // it has these by kind
    if (MERGED_MODELS.test(kind.model)) continue
    const { rows } = await pool.query(`select * from ${getQuotedTable(kind)}`)
    const stored = new Map(rows.map((row) => [row.pk, row]))
    // parameters of InvenTree before 1.2 and since then are kinds of their own, in the same table
    const sharing = kinds.filter(({ table }) => table === kind.table)
    const count = sharing.reduce((total, { model }) => total + dump.count(model), 0)
    // new accounts get profiles, and groups permissions in roles that the dump does not know
    const hasMore = ['users.ruleset', 'users.userprofile'].includes(kind.model)
    assert.ok(hasMore ? stored.size > count : stored.size === count, kind.model)
    const records = []
    for await (const batch of dump.records(kind.model)) records.push(...batch)
    for (const { pk, fields } of records) {
      for (const [name, value] of Object.entries(fields)) {
        const row = stored.get(pk)
        // Names in place of keys are checked elsewhere.
        if (!(name in row) || Array.isArray(value)) continue
        assert.deepEqual(normalizeValue(row[name]), normalizeValue(value), `${kind.model} ${pk} ${name}`)
        compared++
      }
    }
  }
  assert.ok(compared > 60000, `${compared} values were compared`)
})

/** Models of records that belong to parts, which are loaded since they have tables of their own. */
const PART_MODELS =
  /^(part\.part(internalprice|sellprice|parameter|categoryparameter|related|test|stocktake)|stock\.stockitemtest)/

test('a dump loaded without its sales, return and build orders, parameters, tests and prices, and then in full, gives the same result', {
  skip: !existsSync(file),
}, async () => {
  const [loadedOnce, loadedTwice] = await Promise.all([createTestDatabase(4), createTestDatabase(4)])
  after(() => Promise.all([loadedOnce.drop(), loadedTwice.drop()]))
  const records: FixtureRecord[] = JSON.parse(readFileSync(file, 'utf8'))
  const isLater = (model: string) => LATER_MODELS.test(model) || PART_MODELS.test(model)
  const earlierDump = writeDumpFile(JSON.stringify(records.filter(({ model }) => !isLater(model))))
  await runWithoutLaterModels(loadedTwice.pool, () => importDump(loadedTwice.pool, earlierDump, { skipInvalid: false }))
  const report = await importDump(loadedTwice.pool, file, { skipInvalid: false })
  assert.deepEqual(report.cleared, [])
  for (const { model, read, loaded } of report.kinds.filter(({ model }) => isLater(model))) assert.equal(loaded, read, model)
  await importDump(loadedOnce.pool, file, { skipInvalid: false })
  const ownKinds = kinds.filter(({ model }) => !MERGED_MODELS.test(model))
  for (const table of [...ownKinds.map(getQuotedTable), 'part_quantity']) {
    const readContent = async ({ pool }: TestDatabase) =>
      (await pool.query(`select * from ${table} order by pk`)).rows.map(({ xmin, ...row }) =>
        // a dump has no time of allocation: it is the time of the import
        normalizeDecimals(table.endsWith('_allocation"') ? { ...row, created: null } : row),
      )
    // rows that an import creates by itself have their own times and keys
    if (table === '"rule_set"' || table === '"owner"') continue
    assert.deepEqual(await readContent(loadedTwice), await readContent(loadedOnce), table)
  }
})

/** The dump was exported a second time in between, which drops trailing zeros of decimals. */
const normalizeDecimals = (row: Record<string, unknown>) =>
  'data_numeric' in row && row.data_numeric !== null ? { ...row, data_numeric: Number(row.data_numeric) } : row

/** Normalizes times and decimals, which have several notations. */
function normalizeValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return JSON.parse(JSON.stringify(value))
  if (typeof value !== 'string') return value
  if (/^\d{4}-\d\d-\d\d[T ]/.test(value)) return new Date(value).toISOString()
  return /^-?\d+\.\d+$/.test(value) ? Number(value) : value
}
