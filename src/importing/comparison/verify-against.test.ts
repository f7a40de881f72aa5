import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { describeVerdicts } from '../../compare-command.ts'
import { ROOT } from '../../paths.ts'
import { testService } from '../../testing/service.ts'
import { importDump } from '../import.ts'
import { kinds } from '../loading/kinds.ts'
import { Dump } from '../reading/dump.ts'
import { Problems } from '../report.ts'
import { compareDump } from './compare-dump.ts'

const file = join(ROOT, '../shared/data/inventree-demo.json')
const NOT_IMPORTED_YET = /imported yet$/
const service = await testService({}, { runsBackgroundWork: false })

describe('verify --against', { skip: !existsSync(file) }, () => {
  let dump: Dump
  before(async () => {
    await importDump(service.pool, file, { skipInvalid: false })
    dump = await Dump.open(file, kinds, new Problems())
  })
  after(() => dump.close())

  const compare = () => compareDump(dump, service.app.routes.services)
  const listDamage = async () =>
    (await compare()).flatMap(({ model, damage }) =>
      damage.filter((text) => !NOT_IMPORTED_YET.test(text)).map((text) => `${model} ${text}`),
    )

  it('finds every value of the demo dump unchanged', async () => {
    const comparisons = await compare()
    assert.deepEqual(
      comparisons.flatMap(({ model, damage }) =>
        damage.filter((text) => !NOT_IMPORTED_YET.test(text)).map((text) => `${model} ${text}`),
      ),
      [],
    )
    for (const { model, read, found, damage } of comparisons)
      if (!damage.some((text) => NOT_IMPORTED_YET.test(text))) assert.equal(found, read, model)
    assert.ok(comparisons.reduce((sum, { compared }) => sum + compared, 0) > 100_000)
  })

  it('reports damage: a changed value, a missing record, an extra one, a group membership that ended', async () => {
    for (const [damage, repair, expected] of [
      [
        `update stock_item set batch = 'wrong' where pk = 408`,
        `update stock_item set batch = '2022-4-29' where pk = 408`,
        /^stock\.stockitem 408 batch: "2022-4-29" is "wrong"$/,
      ],
      [
        `update supplier_price_break set price = price + 0.01 where pk = (select min(pk) from supplier_price_break)`,
        `update supplier_price_break set price = price - 0.01 where pk = (select min(pk) from supplier_price_break)`,
        /^company\.supplierpricebreak \d+ price: /,
      ],
      [
        `insert into contact (pk, company, name) overriding system value values (900000, 1, 'Nobody')`,
        'delete from contact where pk = 900000',
        /^company\.contact 1 more exist than in the dump$/,
      ],
      [
        `update stock_item_test_result set date = date + interval '1 hour' where pk = 1`,
        `update stock_item_test_result set date = date - interval '1 hour' where pk = 1`,
        /^stock\.stockitemtestresult 1 date: /,
      ],
      ['update part_star set part = (select max(pk) from part)', '', /^part\.partstar \d+ part: /],
    ] as const) {
      await service.pool.query(damage)
      const [first, ...others] = await listDamage()
      assert.match(first ?? '', expected)
      assert.deepEqual(others, [])
      if (repair) await service.pool.query(repair)
    }
    await service.pool.query('delete from part_related where pk = (select min(pk) from part_related)')
    const lines = describeVerdicts(await compare())
    assert.ok(lines.some((line) => /^part\.partrelated: 4 of 5 found/.test(line)))
    assert.ok(lines.some((line) => /^ {2}DAMAGED \d+ is missing$/.test(line)))
  })
})
