import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { migrate } from '../../database/migrate.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { createFormerDatabase } from '../../testing/former-database.ts'

const LABELS = ['part_label', 'stock_item_label', 'stock_location_label', 'build_line_label']
const REPORTS = [
  'bom_report',
  'build_report',
  'purchase_order_report',
  'sales_order_report',
  'return_order_report',
  'stock_location_report',
  'test_report',
]

/** Files of built-in reports of which nobody chose the name are named by their objects. */
const FILENAMES: Record<string, string> = {
  'report/inventree/bom/inventree_bill_of_materials_report.html': 'BOM-{{ part.name }}.pdf',
  'report/inventree/build/inventree_build_order.html': '{{ reference }}.pdf',
  'report/inventree/purchaseorder/inventree_po_report.html': '{{ reference }}.pdf',
  'report/inventree/salesorder/inventree_so_report.html': '{{ reference }}.pdf',
  'report/inventree/returnorder/inventree_return_order_report.html': '{{ reference }}.pdf',
  'report/inventree/slr/inventree_slr_report.html': '{{ stock_location.name }}.pdf',
}

let database: TestDatabase
before(async () => {
  database = await createFormerDatabase('0111_shipped_templates')
  for (const table of LABELS)
    await database.pool.query(`
      insert into ${table} (pk, name, description, label, filters, enabled, width, height, filename_pattern, problems, shipped, metadata)
      overriding system value values (7, 'Own', null, 'label/template/own.html', 'name=x', false, 12.5, 8, 'x.pdf', '{odd}', 'label/inventree/x.html', '{"a": 1}')`)
  for (const table of REPORTS)
    await database.pool.query(`
      insert into ${table} (pk, name, description, template, filters, enabled, page_size, landscape, filename_pattern, revision, problems, shipped, metadata)
      overriding system value values (7, 'Own', 'Of us', 'report/report_template/own.html', 'name=x', false, 'A5', true, 'x.pdf', 4, '{odd}', 'report/x.html', '{"a": 1}')`)
  await database.pool.query('update test_report set include_installed = true where pk = 7')
})
after(() => database.drop())

const readTemplates = async (table: string) => {
  const columns = LABELS.includes(table) ? 'label, width, height' : 'template, page_size, landscape, revision'
  const more = table === 'test_report' ? ', include_installed' : ''
  const { rows } = await database.pool.query(
    `select pk, name, description, filters, enabled, filename_pattern, problems, shipped, metadata, ${columns}${more} from ${table} order by pk`,
  )
  return rows
}

describe('the update of a database with templates of each kind', () => {
  it('keeps their keys and values, and continues their keys', async () => {
    const tables = [...LABELS, ...REPORTS]
    const former = await Promise.all(tables.map(readTemplates))
    await migrate(database.pool)
    for (const [index, table] of tables.entries()) {
      const expected = former[index]?.map((row) => ({
        ...row,
        filename_pattern: FILENAMES[row.template] ?? row.filename_pattern,
      }))
      assert.deepEqual(await readTemplates(table), expected, table)
      assert.equal(former[index]?.at(-1)?.pk, 7)
      const last = Math.max(
        ...(await database.pool.query(`select last_value from ${table}_pk_seq`)).rows.map(({ last_value }) => Number(last_value)),
      )
      const { rows } = await database.pool.query(
        LABELS.includes(table)
          ? `insert into ${table} (name, label) values ('New', 'x.html') returning pk, revision`
          : `insert into ${table} (name, description, template) values ('New', '', 'x.html') returning pk, revision`,
      )
      assert.deepEqual(rows, [{ pk: last + 1, revision: 1 }], table)
    }
    const { rows } = await database.pool.query(
      'select (select count(*)::integer from label_template) labels, (select count(*)::integer from report_template) reports',
    )
    const count = (names: readonly string[]) =>
      names.reduce((sum, name) => sum + (former[tables.indexOf(name)]?.length ?? 0) + 1, 0)
    // those of shipments and transfer orders came later
    assert.deepEqual(rows, [{ labels: count(LABELS), reports: count(REPORTS) + 2 }])
  })
})
