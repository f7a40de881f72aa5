import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Pool } from 'pg'
import { hashBarcode } from '../resources/barcode/barcode-hash.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { createWorkshopRecords, writeDumpFile } from './fixture.ts'
import { describeImport, importDump } from './import.ts'

let database: TestDatabase
let pool: Pool
before(async () => {
  database = await createTestDatabase(4)
  pool = database.pool
})
after(() => database.drop())

const selectRows = async (statement: string) => (await pool.query(statement)).rows

/** The workshop with these barcodes in its records. */
function createRecordsWithCodes(codes: Record<string, string>) {
  const records = createWorkshopRecords()
  for (const [name, code] of Object.entries(codes)) {
    const match = records.find(({ model, pk }) => `${model} ${pk}` === name)
    assert.ok(match, name)
    Object.assign(match.fields, { barcode_data: code, barcode_hash: hashBarcode(code) })
  }
  return records
}

test('a code that several objects share goes to the first kind, and within a kind to the oldest object; the others are listed', async () => {
  const [binaryCode, escapedCode] = ['[)>\u001e06\u001dPX\u001dQ1', '[)>\u001e06{GS}PX{GS}Q1']
  const records = createRecordsWithCodes({
    'stock.stocklocation 31': 'ABC',
    'part.part 12': 'ABC',
    'stock.stockitem 23': escapedCode,
    'stock.stockitem 22': binaryCode,
    'stock.stockitem 21': 'its own',
    'stock.stocklocation 32': binaryCode,
  })
  const report = await importDump(pool, writeDumpFile(JSON.stringify(records, null, 2)), { skipInvalid: false })
  assert.deepEqual(
    report.kinds.filter(({ reason }) => reason === 'breaks a rule'),
    [],
  )
  const expectedLines = [
    `part 12: a scan of its barcode ${hashBarcode('ABC')} finds supplierpart 41`,
    `stockitem 23: a scan of its barcode ${hashBarcode(escapedCode)} finds stockitem 22`,
    `stocklocation 31: a scan of its barcode ${hashBarcode('ABC')} finds supplierpart 41`,
    `stocklocation 32: a scan of its barcode ${hashBarcode(binaryCode)} finds stockitem 22`,
  ]
  assert.deepEqual(
    report.shared.map(({ model, pk, problem }) => `${model} ${pk}: ${problem}`),
    expectedLines,
  )
  const description = describeImport(report).join('\n')
  for (const line of expectedLines) assert.ok(description.includes(line), description)
  assert.deepEqual(await selectRows('select kind, object from linked_code order by kind, object'), [
    { kind: 'stockitem', object: 21 },
    { kind: 'stockitem', object: 22 },
    { kind: 'supplierpart', object: 41 },
  ])
  // responses still show the code of the others, and from now on no other object can get it
  assert.deepEqual(await selectRows('select barcode_hash from stock_item where pk = 23'), [
    { barcode_hash: hashBarcode(escapedCode) },
  ])
  await assert.rejects(
    pool.query('update stock_location set barcode_hash = $1 where pk = 31', [hashBarcode('its own')]),
    /linked_code/,
  )
})
