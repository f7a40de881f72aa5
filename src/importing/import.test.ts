// Over 400 lines: one small workshop, which each test changes, shows what an import writes to the database and what it rejects.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import type { Pool } from 'pg'
import { MediaFolder } from '../kit/services/files.ts'
import { OperatorError } from '../operator-error.ts'
import { databasePerTest } from '../testing/database.ts'
import { createFilesFolder } from '../testing/files.ts'
import { createRoundTripCounter } from '../testing/round-trips.ts'
import { createWorkshopRecords, type FixtureRecord, writeDumpFile } from './fixture.ts'
import { importDump } from './import.ts'
import { describeMedia } from './media.ts'
import { describeOmitted, describeReport } from './report.ts'

const getPool = databasePerTest()
let pool: Pool
beforeEach(() => {
  pool = getPool()
})

const toJson = (records: unknown) => JSON.stringify(records, null, 2)
const load = (records: unknown, skipInvalid = false) => loadText(toJson(records), skipInvalid)
const loadText = (dump: string, skipInvalid = false) => importDump(pool, writeDumpFile(dump), { skipInvalid })
const selectRows = async (statement: string) => (await pool.query(statement)).rows

/** The workshop with one record changed. */
function changeRecord(model: string, pk: number, fields: Record<string, unknown>): FixtureRecord[] {
  const records = createWorkshopRecords()
  const match = records.find((record) => record.model === model && record.pk === pk)
  assert.ok(match)
  Object.assign(match.fields, fields)
  return records
}

/** Line on which a record begins. */
function getLine(records: FixtureRecord[], model: string, pk: number): number {
  const index = records.findIndex((record) => record.model === model && record.pk === pk)
  return toJson(records.slice(0, index)).split('\n').length
}

test('an import names the fields that it does not know, and those that it leaves out on purpose', async () => {
  const [model, pk] = ['part.part', 12] as const
  const { kinds } = await load(changeRecord(model, pk, { glued: 'twice', sanded: 2, oiled: false, waxed: '', lft: 4, level: 1 }))
  assert.deepEqual(kinds.find((kind) => kind.model === model)?.omitted, [
    { name: 'lft', count: 2, reason: 'calculated from the parents' },
    { name: 'glued', count: 1, reason: undefined },
    { name: 'sanded', count: 1, reason: undefined },
  ])
  const lines = describeOmitted(kinds).filter((line) => /glued|sanded|oiled|waxed|lft/.test(line))
  assert.deepEqual(lines, ['  part.part glued: 1', '  part.part sanded: 1', '  lft: calculated from the parents'])
})

test('an import keeps keys, trees, references, prices, barcodes and history unchanged', async () => {
  const { kinds, problems } = await load(createWorkshopRecords())
  assert.deepEqual(problems.listFirst(), [])
  assert.deepEqual(
    kinds.filter(({ leftOut }) => leftOut > 0),
    [{ model: 'sessions.session', read: 1, loaded: 0, leftOut: 1, reason: 'not supported', omitted: [] }],
  )
  assert.deepEqual(await selectRows('select pk, path, pathstring from part_category order by pk'), [
    { pk: 14, path: [14], pathstring: 'Metal' },
    { pk: 15, path: [14, 15], pathstring: 'Metal/Steel' },
  ])
  assert.deepEqual(
    await selectRows('select pk, path, tags, default_supplier, responsible, creation_user from part order by pk'),
    [
      { pk: 12, path: [12], tags: ['heavy'], default_supplier: 41, responsible: 6, creation_user: 3 },
      { pk: 13, path: [12, 13], tags: [], default_supplier: null, responsible: 6, creation_user: null },
    ],
  )
  assert.deepEqual(
    await selectRows(
      `select pk, parent, belongs_to, build, sales_order, quantity, purchase_price, serial_int from stock_item order by pk`,
    ),
    [
      { pk: 21, parent: null, belongs_to: null, build: 3, sales_order: null, quantity: '10.50000', serial_int: 0 },
      { pk: 22, parent: 21, belongs_to: 23, build: null, sales_order: null, quantity: '1.50000', serial_int: 0 },
      { pk: 23, parent: null, belongs_to: null, build: null, sales_order: 5, quantity: '1.00000', serial_int: 7 },
    ].map((row) => ({ ...row, purchase_price: '0.123456' })),
  )
  assert.deepEqual(await selectRows('select date, "user", deltas from stock_tracking'), [
    { date: '2024-03-01 12:00:00.123+00', user: 3, deltas: { added: 5, build: 3 } },
  ])
  assert.deepEqual(
    await selectRows('select total_price, order_currency, line_items, completed_lines, responsible from purchase_order'),
    [{ total_price: '99.500000', order_currency: null, line_items: 1, completed_lines: 0, responsible: 6 }],
  )
  assert.deepEqual(await selectRows('select reference_int, line_items, completed_lines, created_by, customer from sales_order'), [
    { reference_int: 5, line_items: 1, completed_lines: 0, created_by: 3, customer: 2 },
  ])
  // shipped stock is no longer allocated
  assert.deepEqual(await selectRows('select pk, is_open from sales_order_allocation order by pk'), [
    { pk: 1, is_open: false },
    { pk: 2, is_open: true },
  ])
  assert.deepEqual(
    await selectRows(
      'select allocated_to_sales_orders, required_for_sales_orders, unallocated_stock from part_quantity where pk = 12',
    ),
    [{ allocated_to_sales_orders: '2.50000', required_for_sales_orders: '4.00000', unallocated_stock: '8.00000' }],
  )
  assert.deepEqual(await selectRows('select in_stock, external_stock, ordering, suppliers from part_quantity where pk = 12'), [
    { in_stock: '10.50000', external_stock: '10.50000', ordering: '30.000000000000000', suppliers: 1 },
  ])
  assert.deepEqual(await selectRows('select barcode_data from supplier_part'), [{ barcode_data: 'ABC' }])
  assert.deepEqual(await selectRows('select active, metadata::text from company'), [{ active: true, metadata: '{}' }])
})

test('an import keeps passwords, groups, rights and owners of accounts', async () => {
  await load(createWorkshopRecords())
  assert.deepEqual(await selectRows('select pk, username, password from user_account'), [
    { pk: 3, username: 'ann', password: 'pbkdf2_sha256$1$salt$hash' },
  ])
  assert.deepEqual(await selectRows('select "user", "group" from user_group_member'), [{ user: 3, group: 2 }])
  assert.deepEqual(await selectRows('select pk, "user", "group" from owner order by pk'), [
    { pk: 6, user: 3, group: null },
    { pk: 7, user: null, group: 2 },
  ])
  // The dump has permissions for one role. The others are those of a new group.
  assert.deepEqual(await selectRows('select pk, name from rule_set where can_add'), [
    { pk: 19, name: 'part' },
    // permissions for BOMs are those for parts
    { pk: 30, name: 'bom' },
    { pk: 23, name: 'stocktake' },
  ])
  assert.equal((await selectRows('select from rule_set')).length, 12)
})

test('an import keeps plugin settings, and deactivates plugins that do not come with the service', async () => {
  await load(createWorkshopRecords())
  assert.deepEqual(await selectRows('select pk, key, name, active from plugin_config order by pk'), [
    { pk: 17, key: 'digikeyplugin', name: 'DigiKeyPlugin', active: true },
    { pk: 18, key: 'their-own', name: 'Their own', active: false },
  ])
  assert.deepEqual(await selectRows('select pk, plugin, key, value from plugin_setting'), [
    { pk: 6, plugin: 17, key: 'SUPPLIER_ID', value: '2' },
  ])
})

test('an import gives a setting that current releases renamed the name that it has here', async () => {
  const fields = { key: 'PARAMETER_ENFORCE_UNITS', value: 'False' }
  await load([...createWorkshopRecords(), { model: 'common.inventreesetting', pk: 78, fields }])
  assert.deepEqual(await selectRows(`select key, value from setting where key like '%PARAMETER_ENFORCE_UNITS'`), [
    { key: 'PART_PARAMETER_ENFORCE_UNITS', value: 'False' },
  ])
})

test('an import keeps email addresses and notification settings of accounts', async () => {
  await load(createWorkshopRecords())
  assert.deepEqual(await selectRows('select pk, "user", email, verified, "primary" from email_address'), [
    { pk: 8, user: 3, email: 'Ann@screws.example', verified: true, primary: true },
  ])
  assert.deepEqual(await selectRows('select pk, "user", method, key, value from notification_user_setting'), [
    { pk: 2, user: 3, method: 'mail', key: 'NOTIFICATION_METHOD_MAIL', value: 'False' },
  ])
})

test('an address in the dump replaces the same one in a fresh database', async () => {
  await pool.query(`insert into user_account (pk, username) values (3, 'first')`)
  await pool.query(
    `insert into email_address (pk, "user", email, verified) values (8, 3, 'ann@screws.example', true), (9, 3, 'first@a.example', true)`,
  )
  await load(createWorkshopRecords())
  assert.deepEqual(
    await selectRows('select u.username, e.email from email_address e join user_account u on u.pk = e."user" order by 1'),
    [
      { username: 'ann', email: 'Ann@screws.example' },
      { username: 'first', email: 'first@a.example' },
    ],
  )
})

test('an import reports a second address that differs only in case, and never replaces the first with it', async () => {
  const ann = createWorkshopRecords().find(({ model }) => model === 'auth.user')
  const duplicateRecords = [
    ...createWorkshopRecords(),
    { model: 'auth.user', pk: 4, fields: { ...ann?.fields, username: 'bob' } },
    {
      model: 'account.emailaddress',
      pk: 9,
      fields: { user: ['bob'], email: 'ANN@screws.example', verified: true, primary: true },
    },
  ]
  await assert.rejects(load(duplicateRecords), /account.emailaddress 9: another record has the same email and verified$/m)
  await load(duplicateRecords, true)
  assert.deepEqual(await selectRows('select pk from email_address'), [{ pk: 8 }])
})

test('the next object gets a key that the dump did not use', async () => {
  await load(createWorkshopRecords())
  assert.deepEqual(await selectRows(`insert into company (name, currency) values ('Next', 'USD') returning pk`), [{ pk: 3 }])
})

test('an import keeps the notation of numbers in free JSON', async () => {
  const dump = toJson(createWorkshopRecords()).replace('"exact": 1.1', '"exact": 1.10, "long": 12345678901234567890')
  await loadText(dump)
  assert.deepEqual(await selectRows('select metadata::text from supplier_part'), [
    { metadata: '{"exact":1.10,"long":12345678901234567890}' },
  ])
})

test('a second import changes nothing', async () => {
  await load(createWorkshopRecords())
  await assert.rejects(load(createWorkshopRecords()), OperatorError)
  assert.equal((await selectRows('select from part')).length, 2)
})

test('an import reports a record that breaks a rule with its line, and loads nothing', async () => {
  const cases: [string, number, Record<string, unknown>, RegExp][] = [
    ['stock.stockitem', 21, { quantity: '-1' }, /: quantity "-1" is out of range$/m],
    ['stock.stockitem', 21, { part: 99 }, /: part 99 does not exist$/m],
    ['stock.stockitem', 21, { serial: '7', quantity: '1' }, /serial 7 is already used/],
    ['order.purchaseorder', 8, { reference: 'x'.repeat(65) }, /: reference is longer than 64 characters$/m],
    ['order.purchaseorder', 8, { reference: null }, /: reference must have a value$/m],
    ['order.purchaseorder', 8, { creation_date: '2023-02-29' }, /: creation_date "2023-02-29" is not a date$/m],
    ['order.purchaseorder', 8, { created_by: ['nobody'] }, /created_by \["nobody"\] does not exist/],
    ['order.purchaseorder', 8, { description: 'a\0b' }, /: description contains a character that cannot be stored$/m],
    ['order.purchaseorder', 8, { description: '\ud800' }, /: description contains a character that cannot be stored$/m],
    ['order.salesorder', 5, { customer: 99 }, /: customer 99 does not exist$/m],
    ['order.salesorderallocation', 2, { quantity: '10.6' }, /: the allocated quantity of its stock item exceeds its quantity$/m],
    ['order.salesorderallocation', 2, { quantity: '0' }, /: quantity "0" is out of range$/m],
    ['order.salesordershipment', 7, { reference: '1' }, /another record has the same order and reference/],
    ['stock.stockitem', 23, { sales_order: 99 }, /: sales_order 99 does not exist$/m],
    ['part.part', 12, { default_supplier: 77 }, /: default_supplier 77 does not exist$/m],
    ['part.part', 13, { variant_of: 13 }, /below itself/],
    ['part.partpricing', 1, { overall_min_currency: 'EUR' }, /overall_min_currency EUR/],
    ['auth.user', 3, { groups: [['nobodies']] }, /nobodies/],
    ['account.emailaddress', 8, { user: ['nobody'] }, /user \["nobody"\] does not exist/],
    ['account.emailaddress', 8, { email: 'x'.repeat(255) }, /: email is longer than 254 characters$/m],
    ['plugin.notificationusersetting', 2, { user: ['nobody'] }, /user \["nobody"\] does not exist/],
    ['plugin.notificationusersetting', 2, { method: null }, /: method must have a value$/m],
    ['auth.user', 3, { groups: [77] }, /: one of its groups does not exist, or was rejected$/m],
    ['auth.user', 3, { groups: ['x'] }, /: groups: "x" is not a primary key$/m],
    ['part.part', 12, { responsible_owner: 99 }, /: responsible_owner 99 does not exist$/m],
    ['stock.stockitem', 21, { quantity: '1'.repeat(30) }, /: quantity "1{30}" is too large to be stored$/m],
    ['stock.stockitem', 21, { location: 'here' }, /: location "here" is not a whole number$/m],
    ['stock.stockitem', 21, { serial: '8' }, /: quantity "10.50000" and serial "8" do not match$/m],
    [
      'stock.stockitem',
      21,
      { quantity: '-1', part: 99, location: 'here', batch: 'x'.repeat(101), updated: 'now or never', owner: null, status: 11 },
      /: (?=.*quantity "-1" is)(?=.*part 99 does)(?=.*location "here" is)(?=.*batch is longer)(?=.*updated "now or never" is)(?=.*status 11 is)/m,
    ],
    [
      'order.purchaseorder',
      8,
      { created_by: ['nobody'], supplier: 99, reference: null, status: 1 },
      /: created_by \["nobody"\] does not exist; reference must have a value; (?=.*status 1 is)(?=.*supplier 99 does)/m,
    ],
    ['users.owner', 6, { owner_type: ['auth', 'thing'] }, /owner_type/],
  ]
  for (const [model, pk, fields, reason] of cases) {
    const records = changeRecord(model, pk, fields)
    await assert.rejects(load(records), (error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, new RegExp(`^line ${getLine(records, model, pk)}: ${model} ${pk}: .*`, 'm'))
      assert.match(error.message, reason)
      return true
    })
  }
  assert.deepEqual(
    await selectRows('select pk from user_account union all select pk from part union all select pk from setting'),
    [],
  )
})

test('an import reports duplicate records with their fields', async () => {
  const createCompany = (pk: number, name: string) => ({ model: 'company.company', pk, fields: { name, email: 'a@b.example' } })
  await assert.rejects(load([createCompany(1, 'One'), createCompany(1, 'Two')]), {
    message: /^line 10: company.company 1: another record has the same pk$/m,
  })
  await assert.rejects(load([createCompany(1, 'One'), createCompany(2, 'One')]), {
    message: /^line 10: company.company 2: another record has the same name and email$/m,
  })
  const createPart = (pk: number) => ({ model: 'part.part', pk, fields: { name: 'Bolt', IPN: 'B' } })
  await assert.rejects(load([createPart(1), createPart(2)]), {
    message: /^line 10: part.part 2: another record has the same name, IPN and revision$/m,
  })
})

test('an import rejects, with its line, a primary key that no URL reaches or that has no successor', async () => {
  const createProject = (pk: number) => ({ model: 'common.projectcode', pk, fields: { code: `P${pk}` } })
  for (const pk of [-5, 0, 2147483647, 1e15])
    await assert.rejects(load([...createWorkshopRecords(), createProject(pk)]), (error) => {
      assert.ok(error instanceof OperatorError)
      const line = toJson(createWorkshopRecords()).split('\n').length
      assert.equal(
        error.message.split('\n')[0],
        `line ${line}: common.projectcode ${pk}: its pk must be a whole number from 1 to 2147483646`,
      )
      return true
    })
  const { kinds } = await load([createProject(0), createProject(2147483646), createProject(2147483647)], true)
  assert.deepEqual(kinds, [{ model: 'common.projectcode', read: 3, loaded: 1, leftOut: 2, reason: 'breaks a rule', omitted: [] }])
  assert.deepEqual(await selectRows(`insert into project_code (code) values ('next') returning pk`), [{ pk: 2147483647 }])
})

test("an import rejects a key that leaves none for its record's dependent rows, or for existing rows", async () => {
  const group = { model: 'auth.group', pk: 1, fields: { name: 'makers' } }
  const ruleSet = { model: 'users.ruleset', pk: 2147483646, fields: { name: 'part', group: ['makers'], can_view: true } }
  await assert.rejects(load([group, ruleSet]), {
    message: /^line 2: auth.group 1: there are not enough primary keys for its related rows$/m,
  })
  await pool.query(`insert into user_account (username) values ('first'), ('second')`)
  const ann = { model: 'auth.user', pk: 2147483646, fields: { username: 'ann' } }
  await assert.rejects(load([ann]), /auth.user 2147483646 leaves too few primary keys/)
})

test('a dump with nothing to load fails with an error', async () => {
  const session = { model: 'sessions.session', pk: 'a1b2', fields: {} }
  const tag = { model: 'taggit.tag', pk: 1, fields: { name: 'heavy' } }
  for (const skipInvalid of [false, true])
    for (const records of [[], [session], [tag]])
      await assert.rejects(load(records, skipInvalid), (error) => {
        assert.ok(error instanceof OperatorError)
        assert.match(error.message, /^Nothing was imported: the dump contains no record of a supported kind\.$/m)
        return true
      })
  const broken = { model: 'company.company', pk: 1, fields: { name: null } }
  await assert.rejects(load([broken], true), {
    message:
      /^line 2: company.company 1: name must have a value\n.*\nNothing was imported: the dump contains no valid record\.$/s,
  })
})

test('an import does not make a round trip for each of very many rejected records', async () => {
  const createCode = (pk: number) => ({ model: 'common.projectcode', pk, fields: { code: 'Twice' } })
  const dump = writeDumpFile(toJson(Array.from({ length: 6000 }, (_, n) => createCode(n + 1))))
  let rejectedCount = 0
  const trips = await createRoundTripCounter(pool)(async () => {
    rejectedCount = (await importDump(pool, dump, { skipInvalid: true })).problems.count
  })
  assert.equal(rejectedCount, 5999)
  // further errors are searched for only in the first two thousand
  assert.ok(trips < 3 * 6000, `${trips} round trips`)
})

test('an import with skipInvalid loads the rest, and also reports records that refer to one that was left out', async () => {
  const records = changeRecord('company.supplierpart', 41, { SKU: 'x'.repeat(101) })
  const { kinds, problems } = await load(records, true)
  const names = problems.listFirst().map(({ record }) => `${record?.model} ${record?.pk}`)
  assert.deepEqual(names, ['order.purchaseorderlineitem 9', 'company.supplierpart 41', 'part.part 12'])
  assert.match(describeReport(kinds), /company.supplierpart +1 +0 +1 {2}breaks a rule/)
  // The part itself is valid: only its default supplier is missing.
  assert.deepEqual(await selectRows('select pk, default_supplier from part where pk = 12'), [{ pk: 12, default_supplier: null }])
})

test('an import loads many records next to an invalid one', async () => {
  const contacts = Array.from({ length: 2500 }, (_, n) => ({
    model: 'company.contact',
    pk: n + 1,
    fields: { company: n === 1777 ? 9 : 2, name: `Contact ${n}`, phone: '', email: '', role: '' },
  }))
  const { problems } = await load([...createWorkshopRecords(), ...contacts], true)
  assert.deepEqual(
    problems.listFirst().map(({ record }) => record?.pk),
    [1778],
  )
  assert.equal((await selectRows('select from contact')).length, 2499)
})

test('an import reads model names in any case, wherever they appear', async () => {
  const renamedRecords = createWorkshopRecords().map(({ model, ...record }) => {
    const [app = '', kind = ''] = model.split('.')
    return { model: `${app.toUpperCase()}.${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, ...record }
  })
  for (const { fields } of renamedRecords)
    for (const name of ['owner_type', 'content_type'])
      if (Array.isArray(fields[name])) fields[name] = fields[name].map((part: string) => part.toUpperCase())
  const { kinds, problems } = await load(renamedRecords)
  assert.deepEqual(problems.listFirst(), [])
  assert.equal(kinds.find(({ model }) => model === 'stock.stockitem')?.loaded, 3)
  assert.deepEqual(await selectRows('select "user", "group" from owner order by pk'), [
    { user: 3, group: null },
    { user: null, group: 2 },
  ])
  assert.deepEqual(await selectRows('select tags from part where pk = 12'), [{ tags: ['heavy'] }])
})

test('records that are left out may have any key', async () => {
  const session = { model: 'sessions.session', pk: 'a1b2', fields: {} }
  const machine = { model: 'machine.machineconfig', pk: '8a2c7b2e-0d0b-4a58-8bb8-0c1f0c2f1a11', fields: {} }
  const { kinds, problems } = await load([...createWorkshopRecords(), session, machine])
  assert.deepEqual(problems.listFirst(), [])
  assert.deepEqual(
    kinds.filter(({ model }) => /session|machine/.test(model)).map(({ read, leftOut }) => [read, leftOut]),
    [
      [1, 1],
      [2, 2],
    ],
  )
})

test('an import leaves correct sums, which are maintained from then on', async () => {
  await load(createWorkshopRecords())
  const item = `insert into stock_item (part, quantity, purchase_price_currency) values (13, 2, 'USD')`
  const line = `insert into purchase_order_line ("order", part, quantity, purchase_price_currency) values (8, 41, 7, 'USD')`
  const supplierPart = `insert into supplier_part (part, supplier, "SKU") values (12, 2, 'other')`
  const sums = 'select in_stock::float, variant_stock::float, ordering::float, suppliers from part_quantity where pk = 12'
  assert.deepEqual(await selectRows(sums), [{ in_stock: 10.5, variant_stock: 0, ordering: 30, suppliers: 1 }])
  for (const statement of [item, line, supplierPart]) await pool.query(statement)
  assert.deepEqual(await selectRows(sums), [{ in_stock: 10.5, variant_stock: 2, ordering: 100, suppliers: 2 }])
  assert.deepEqual(await selectRows('select line_items from purchase_order'), [{ line_items: 2 }])
})

test('an import loads child records after their parents, even if the records differ in form', async () => {
  const createLocation = (pk: number, parent: number | null, fields: object) => ({
    model: 'stock.stocklocation',
    pk,
    fields: { name: `Place ${pk}`, parent, ...fields },
  })
  await load([createLocation(3, 2, {}), createLocation(2, 1, { external: null, structural: false }), createLocation(1, null, {})])
  assert.deepEqual(await selectRows('select path from stock_location where pk = 3'), [{ path: [1, 2, 3] }])
})

test('an import rejects a file that is not a dump', async () => {
  const fullText = toJson(createWorkshopRecords())
  for (const [file, reason] of [
    ['', /JSON list/],
    ['{"model": 1}', /JSON list/],
    ['[{"model": "part.part", "pk": 1, "fields": []}]', /line 1: .*not a record/],
    [fullText.slice(0, -20), /truncated.*line \d+/],
    [fullText.replace('"pk": 8', '"pk": 08'), /line \d+ is not JSON/],
    ['[\n1,\n{"model": "part.part", "pk": "x", "fields": {}}\n]', /line 2: .*\nline 3: /],
  ] as const) {
    await assert.rejects(loadText(file), (error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, reason)
      return true
    })
  }
})

test('an import rejects a path that is not a file', async () => {
  for (const path of ['/dev/null', '/', '/no/such/file'])
    await assert.rejects(importDump(pool, path, { skipInvalid: false }), /the dump cannot be read/)
})

test('an import gives accounts and settings of a fresh database other keys, or replaces them', async () => {
  await pool.query(`
    insert into user_account (username, is_superuser) values ('root', true), ('ANN', false), ('carl', false);
    insert into user_group (name) values ('Members'), ('makers');
    insert into user_group_member ("user", "group") values (1, 1), (3, 1);
    insert into setting (key, value) values ('OTHER', 'kept'), ('INVENTREE_INSTANCE', 'replaced')`)
  await load(createWorkshopRecords())
  assert.deepEqual(await selectRows('select username, is_superuser, pk from user_account order by username'), [
    { username: 'ann', is_superuser: false, pk: 3 },
    { username: 'carl', is_superuser: false, pk: 6 },
    { username: 'root', is_superuser: true, pk: 4 },
  ])
  assert.deepEqual(
    await selectRows(`
      select username, name from user_group_member member
      join user_account on user_account.pk = "user" join user_group on user_group.pk = "group" order by username`),
    [
      { username: 'ann', name: 'makers' },
      { username: 'carl', name: 'Members' },
      { username: 'root', name: 'Members' },
    ],
  )
  assert.deepEqual(await selectRows('select key, value from setting order by key'), [
    { key: 'INVENTREE_INSTANCE', value: 'The workshop' },
    { key: 'OTHER', value: 'kept' },
  ])
  assert.equal((await selectRows('select from owner')).length, 5)
})

test('an import copies files from a media folder, and names missing ones', async () => {
  const { dataDir, media } = createFilesFolder()
  const oldFolder = join(dataDir, 'old')
  const createAttachment = (pk: number, path: string): FixtureRecord => ({
    model: 'part.partattachment',
    pk,
    fields: { attachment: path, link: null, comment: '', user: null, upload_date: '2021-11-15', part: 12 },
  })
  const paths = ['part_files/1/größe (2).pdf', 'part_files/1/none.pdf', '../../secret', 'part_files/1/link.pdf']
  const records = [...createWorkshopRecords(), ...paths.map((path, index) => createAttachment(index + 1, path))]
  mkdirSync(join(oldFolder, 'part_files/1'), { recursive: true })
  writeFileSync(join(oldFolder, 'part_files/1/größe (2).pdf'), 'a data sheet')
  writeFileSync(join(dataDir, 'secret'), 'secret')
  symlinkSync(join(dataDir, 'secret'), join(oldFolder, 'part_files/1/link.pdf'))
  const files = new MediaFolder(media)
  const dump = writeDumpFile(toJson(records))
  await assert.rejects(
    importDump(pool, dump, { skipInvalid: false, media: { sourceFolder: join(dataDir, 'nowhere'), files } }),
    /--media .*nowhere is not a folder; nothing was imported/,
  )
  assert.deepEqual(await selectRows('select pk from part'), [])
  const progress: string[] = []
  const report = await importDump(pool, dump, {
    skipInvalid: false,
    media: { sourceFolder: oldFolder, files, onProgress: (done, total) => progress.push(`${done}/${total}`) },
  })
  const missing = [
    '"../../secret" (not a path of a stored file)',
    'part_files/1/link.pdf (a link to a file outside the folder)',
    'part_files/1/none.pdf',
  ]
  assert.deepEqual(report.media.missing.toSorted(), missing)
  assert.deepEqual([report.media.referenced, report.media.present, progress.at(-1)], [4, 1, '4/4'])
  assert.equal(String(await files.bytes('part_files/1/größe (2).pdf')), 'a data sheet')
  assert.ok(!existsSync(join(media, 'part_files/1/link.pdf')))
  assert.deepEqual(await selectRows('select * from loose_file'), [])
  assert.deepEqual(await selectRows('select filename from part_attachment where pk = 1'), [{ filename: 'größe (2).pdf' }])
  assert.match(describeMedia(report.media).join('\n'), /missing: part_files\/1\/none\.pdf\n.*1 of 4 files are present\.$/s)
})

test('an import sends no notifications', async () => {
  await load(changeRecord('part.part', 12, { minimum_stock: '1000000' }))
  const lowStock =
    'select q.pk from part join part_quantity q using (pk) where q.total_in_stock > 0 and q.total_in_stock < minimum_stock'
  assert.deepEqual(await selectRows(lowStock), [{ pk: 12 }])
  assert.deepEqual(await selectRows('select kind, model, target from notice'), [])
})

test('an import emits no events', async () => {
  await load(createWorkshopRecords())
  assert.equal((await selectRows('select count(*)::integer count from part'))[0].count > 0, true)
  assert.deepEqual(await selectRows('select * from event'), [])
  await pool.query(`insert into project_code (code) values ('later')`)
  assert.equal((await selectRows('select * from event')).length, 1)
})

test('an import keeps a loop through an allowed variant of a component, as InvenTree has such loops', async () => {
  const records = createWorkshopRecords()
  const bracket = records.find(({ model, pk }) => model === 'part.part' && pk === 12)
  const lamp = { ...bracket?.fields, name: 'Lamp', is_template: false, assembly: true }
  const createLine = (pk: number, part: number, sub_part: number, allow_variants: boolean) => ({
    model: 'part.bomitem',
    pk,
    fields: { part, sub_part, quantity: '1.00000', inherited: false, allow_variants },
  })
  // the red bracket, a variant of the bracket, contains a lamp, and a lamp any bracket
  const loop = [{ model: 'part.part', pk: 14, fields: lamp }, createLine(1, 13, 14, false), createLine(2, 14, 12, true)]
  const { problems } = await load([...records, ...loop])
  assert.deepEqual(problems.listFirst(), [])
  assert.deepEqual(await selectRows('select part, sub_part from bom_item order by pk'), [
    { part: 13, sub_part: 14 },
    { part: 14, sub_part: 12 },
  ])
})

test('the report lists records that the service will delete because of their age', async () => {
  const toTimestamp = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const createEntry = (pk: number, daysAgo: number): FixtureRecord => ({
    model: 'common.newsfeedentry',
    pk,
    fields: {
      feed_id: `https://news.example/${pk}`,
      title: 'News',
      link: '',
      published: toTimestamp(daysAgo),
      author: '',
      summary: '',
      read: false,
    },
  })
  const createReport = (pk: number, daysAgo: number): FixtureRecord => ({
    model: 'part.partstocktakereport',
    pk,
    fields: { date: toTimestamp(daysAgo).slice(0, 10), report: `stocktake/${pk}.csv`, part_count: 3, user: null },
  })
  const records = [
    ...createWorkshopRecords(),
    createEntry(1001, 800),
    createEntry(1002, 400),
    createEntry(1003, 30),
    createEntry(1004, 1),
  ]
  const retainedRecords = [createReport(101, 9000), createReport(102, 2)]
  const setting: FixtureRecord = {
    model: 'common.inventreesetting',
    pk: 77,
    fields: { key: 'STOCKTAKE_DELETE_REPORT_DAYS', value: '90' },
  }
  const { kinds } = await load([...records, ...retainedRecords, setting])
  const findKind = (model: string) => kinds.find((kind) => kind.model === model)
  const news = findKind('common.newsfeedentry')
  const existingCount = createWorkshopRecords().filter(({ model }) => model === 'common.newsfeedentry').length
  const { count } = (await selectRows(`select count(*)::integer from news_entry where published < now() - interval '1 year'`))[0]
  assert.ok(count >= 2)
  assert.deepEqual([news?.read, news?.loaded], [existingCount + 4, existingCount + 4])
  assert.equal(news?.reason, `${count} past their retention period: to be deleted`)
  assert.equal(findKind('part.partstocktakereport')?.leftOut, 0)
  assert.match(findKind('part.partstocktakereport')?.reason ?? '', /^\d+ past their retention period: to be deleted$/)
  assert.deepEqual(await selectRows('select pk from part_stocktake_report where pk > 100 order by pk'), [
    { pk: 101 },
    { pk: 102 },
  ])
})
