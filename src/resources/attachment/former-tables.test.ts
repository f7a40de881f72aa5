import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { migrate } from '../../database/migrate.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { createFormerDatabase } from '../../testing/former-database.ts'

/** The former tables of attachments, now views, with the column of the object. */
const KINDS = {
  part_attachment: 'part',
  stock_item_attachment: 'stock_item',
  company_attachment: 'company',
  manufacturer_part_attachment: 'manufacturer_part',
  build_order_attachment: 'build',
  purchase_order_attachment: 'order',
  sales_order_attachment: 'order',
  return_order_attachment: 'order',
}

let database: TestDatabase
before(async () => {
  database = await createFormerDatabase('0111_shipped_templates')
  await database.pool.query(`
    insert into user_account (pk, username, password) overriding system value values (7, 'mira', '');
    insert into company (pk, name, currency) overriding system value values (2, 'Acme', 'EUR');
    insert into part (pk, name) overriding system value values (2, 'Bolt');
    insert into manufacturer_part (pk, part, manufacturer, "MPN") overriding system value values (2, 2, 2, 'M');
    insert into stock_item (pk, part, quantity, purchase_price_currency) overriding system value values (2, 2, 5, 'EUR');
    insert into build_order (pk, reference, part) overriding system value values (2, 'BO-0002', 2);
    insert into purchase_order (pk, reference, supplier, total_price_currency) overriding system value values (2, 'PO-0002', 2, 'EUR');
    insert into sales_order (pk, reference, customer, total_price_currency) overriding system value values (2, 'SO-0002', 2, 'EUR');
    insert into return_order (pk, reference, customer, total_price_currency) overriding system value values (2, 'RO-0002', 2, 'EUR')`)
  // the same keys in each; the highest was deleted
  for (const [table, owner] of Object.entries(KINDS))
    await database.pool.query(`
      insert into ${table} ("${owner}", attachment, filename, link, comment, upload_date, "user") values
        (2, '${table}/a.pdf', 'a.pdf', 'https://a.example/', 'of ${table}', '2023-05-04', 7),
        (2, null, '', 'https://b.example/', '', null, null), (2, '${table}/c.pdf', 'c.pdf', null, 'c', '2024-01-02', null);
      delete from ${table} where pk = 3`)
})
after(() => database.drop())

const readAttachments = async (table: string, owner: string) => {
  const { rows } = await database.pool.query(
    `select pk, "${owner}", attachment, filename, link, comment, upload_date::text, "user" from ${table} order by pk`,
  )
  return rows
}

describe('the update of a database with attachments of each kind', () => {
  it('keeps their keys, files, links, comments, dates and accounts', async () => {
    const former = await Promise.all(Object.entries(KINDS).map(([table, owner]) => readAttachments(table, owner)))
    assert.deepEqual(
      former.map((rows) => rows.length),
      former.map(() => 2),
    )
    await migrate(database.pool)
    for (const [index, [table, owner]] of Object.entries(KINDS).entries())
      assert.deepEqual(await readAttachments(table, owner), former[index], table)
    const { rows } = await database.pool.query('select pk, model_type, kind_pk, file_size from attachment order by pk')
    assert.equal(rows.length, 16)
    assert.deepEqual(rows.slice(0, 4), [
      { pk: 1, model_type: 'part', kind_pk: 1, file_size: null },
      { pk: 2, model_type: 'part', kind_pk: 2, file_size: 0 },
      { pk: 3, model_type: 'stockitem', kind_pk: 1, file_size: null },
      { pk: 4, model_type: 'stockitem', kind_pk: 2, file_size: 0 },
    ])
  })

  it('continues the keys of each kind, without those that were deleted, whichever way a row comes', async () => {
    for (const [table, owner] of Object.entries(KINDS)) {
      const { rows } = await database.pool.query(
        `insert into ${table} ("${owner}", link) values (2, 'https://c.example/') returning pk`,
      )
      assert.deepEqual(rows, [{ pk: 4 }], table)
    }
    const { rows } = await database.pool.query(
      `insert into attachment (model_type, part, link) values ('part', 2, 'https://d.example/') returning pk, kind_pk`,
    )
    assert.deepEqual(rows, [{ pk: 25, kind_pk: 5 }])
  })

  it('deletes the file of an attachment with the attachment', async () => {
    await database.pool.query(`delete from part_attachment where pk = 1; delete from company where pk = 2`)
    const { rows } = await database.pool.query('select path from loose_file order by path')
    assert.ok(['company_attachment/a.pdf', 'part_attachment/a.pdf'].every((path) => rows.some((row) => row.path === path)))
  })
})
