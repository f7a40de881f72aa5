import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { testService } from '../../testing/service.ts'
import { compareDump } from '../comparison/compare-dump.ts'
import { writeDumpFile } from '../fixture.ts'
import { importDump } from '../import.ts'
import { kinds, NOT_IMPORTED_YET } from '../loading/kinds.ts'
import { Dump } from '../reading/dump.ts'
import { Problems } from '../report.ts'
import { createReleaseDump, releases } from './release-dump.ts'

describe('a dump of InvenTree', () => {
  for (const release of releases) {
    it(`${release} is loaded, is the same field by field, and what is left out has a reason`, async () => {
      const service = await testService({}, { runsBackgroundWork: false })
      const file = writeDumpFile(JSON.stringify(createReleaseDump(release)))
      const report = await importDump(service.pool, file, { skipInvalid: false })
      assert.deepEqual(
        report.kinds.filter(({ loaded, read, reason }) => loaded < read && (reason === '' || reason === NOT_IMPORTED_YET)),
        [],
      )
      const unexplained = report.kinds.flatMap(({ model, omitted }) =>
        omitted.filter(({ reason }) => reason === undefined).map(({ name }) => `${model} ${name}`),
      )
      assert.deepEqual(unexplained, [])

      const dump = await Dump.open(file, kinds, new Problems())
      after(() => dump.close())
      const comparisons = await compareDump(dump, service.app.routes.services)
      const damage = comparisons.flatMap(({ model, damage }) => damage.map((text) => `${model} ${text}`))
      assert.deepEqual(damage, [])
    })
  }
})

describe('a dump before 0.14', () => {
  it('gives each test result the test of its name: of the part, of a template above it, or a new one', async () => {
    const service = await testService({}, { runsBackgroundWork: false })
    const records = createReleaseDump('0.13')
    const copy = (model: string, pk: number, fields: object) => {
      const [record] = records.filter((candidate) => candidate.model === model)
      assert.ok(record)
      records.push({ model, pk, fields: { ...record.fields, ...fields } })
    }
    copy('part.part', 4, { name: 'a variant', variant_of: 1 })
    copy('stock.stockitem', 2, { part: 4 })
    for (const record of records)
      if (record.model === 'part.parttesttemplate') record.fields.test_name = 'TestName'
      else if (record.model === 'stock.stockitemtestresult') Object.assign(record.fields, { test: 'Test Name!', stock_item: 2 })
    copy('stock.stockitemtestresult', 2, { test: 'Insulation 5 kV' })
    copy('stock.stockitemtestresult', 3, { test: 'insulation 5kv' })
    await importDump(service.pool, writeDumpFile(JSON.stringify(records)), { skipInvalid: false })
    assert.deepEqual(
      await service.rows(
        'select result.pk, test.part, test.test_name, test.required from stock_item_test_result result join part_test_template test on test.pk = result.template order by 1',
      ),
      [
        { pk: 1, part: 1, test_name: 'TestName', required: true },
        { pk: 2, part: 4, test_name: 'Insulation 5 kV', required: false },
        { pk: 3, part: 4, test_name: 'Insulation 5 kV', required: false },
      ],
    )
    const created = await service.rows(
      `insert into part_test_template (part, test_name, key) values (1, 'Next', 'next') returning pk`,
    )
    assert.deepEqual(created, [{ pk: 3 }])
  })
})
