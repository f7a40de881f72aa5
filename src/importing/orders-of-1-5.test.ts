import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Pool } from 'pg'
import { checks } from '../resources/stock/verification/checks.ts'
import { databasePerTest } from '../testing/database.ts'
import { createWorkshopRecords, type FixtureRecord, writeDumpFile } from './fixture.ts'
import { describeImport, importDump } from './import.ts'

const getPool = databasePerTest()
let pool: Pool
beforeEach(() => {
  pool = getPool()
})

const record = (model: string, pk: number, fields: Record<string, unknown>): FixtureRecord => ({ model, pk, fields })
const load = (records: unknown[], skipInvalid = false) =>
  importDump(pool, writeDumpFile(JSON.stringify(records)), { skipInvalid })
const selectRows = async (statement: string) => (await pool.query(statement)).rows

const HEADER = {
  metadata: {},
  notes: null,
  barcode_data: '',
  barcode_hash: '',
  link: '',
  target_date: null,
  creation_date: '2026-11-26',
  created_by: ['ann'],
  responsible: null,
  contact: null,
  address: null,
  project_code: null,
  take_from: null,
  consume: false,
  status_custom_key: null,
}
const LINE = { metadata: {}, discount: '0.00', reference: '', notes: '', link: '', target_date: null, project_code: null }

/** Transfer orders as InvenTree 1.5 writes them: one issued, one on hold, one complete. */
const transferRecords = (): FixtureRecord[] => [
  record('order.transferorder', 1, {
    ...HEADER,
    reference_int: 1,
    reference: 'TO-0001',
    description: 'Kits to the office',
    start_date: '2026-12-01',
    issue_date: '2026-11-26',
    updated_at: '2026-11-26T08:36:35.215Z',
    status: 20,
    destination: null,
    complete_date: null,
  }),
  record('order.transferorder', 5, {
    ...HEADER,
    reference_int: 5,
    reference: 'TO-0005',
    description: 'Completed',
    start_date: null,
    issue_date: '2026-11-26',
    updated_at: '2026-11-26T08:36:14.487Z',
    status: 30,
    destination: null,
    complete_date: '2026-11-26',
  }),
  record('order.transferorderlineitem', 1, {
    ...LINE,
    quantity: '5.00000',
    line: '1',
    line_int: 1,
    order: 1,
    part: 12,
    transferred: '0.00000',
  }),
  record('order.transferorderlineitem', 5, {
    ...LINE,
    quantity: '2.00000',
    line: '',
    line_int: 0,
    order: 5,
    part: 12,
    transferred: '2.00000',
  }),
  record('order.transferorderallocation', 1, { line: 1, item: 21, quantity: '2.50000' }),
  record('order.transferorderallocation', 3, { line: 5, item: 21, quantity: '2.00000' }),
]

test('transfer orders of 1.5 are imported with their allocations, which count while the order is open', async () => {
  const { problems, kinds } = await load([...createWorkshopRecords(), ...transferRecords()])
  assert.deepEqual(problems.listFirst(), [])
  assert.deepEqual(
    kinds.filter(({ model }) => model.startsWith('order.transfer')).map(({ model, loaded }) => [model, loaded]),
    [
      ['order.transferorder', 2],
      ['order.transferorderallocation', 2],
      ['order.transferorderlineitem', 2],
    ],
  )
  assert.deepEqual(
    await selectRows(
      'select pk, status, line_items, completed_lines, updated_at, start_date::text from transfer_order order by pk',
    ),
    [
      {
        pk: 1,
        status: 20,
        line_items: 1,
        completed_lines: 0,
        updated_at: '2026-11-26 08:36:35.215+00',
        start_date: '2026-12-01',
      },
      { pk: 5, status: 30, line_items: 1, completed_lines: 1, updated_at: '2026-11-26 08:36:14.487+00', start_date: null },
    ],
  )
  assert.deepEqual(await selectRows('select pk, is_open from transfer_order_allocation order by pk'), [
    { pk: 1, is_open: true },
    { pk: 3, is_open: false },
  ])
  assert.deepEqual(await selectRows('select allocated_to_transfer_orders from part_quantity where pk = 12'), [
    { allocated_to_transfer_orders: '2.50000' },
  ])
  for (const name of ['allocations', 'part_sums', 'line_counts', 'transfer_allocations'])
    assert.deepEqual(await selectRows(checks.find((check) => check.name === name)?.violationsQuery ?? ''), [], name)
})

test('history of 1.5 whose item is gone stays with its part', async () => {
  const entry = {
    tracking_type: 10,
    date: '2026-11-26T08:35:37.594Z',
    notes: 'before it goes',
    user: ['ann'],
    deltas: { quantity: 1 },
  }
  const records = [
    ...createWorkshopRecords(),
    record('stock.stockitemtracking', 90, { ...entry, item: null, part: 12 }),
    record('stock.stockitemtracking', 91, { ...entry, item: 21, part: 12, tracking_type: 47 }),
    record('stock.stockitemtracking', 92, { ...entry, item: null, part: null }),
  ]
  const { problems } = await load(records, true)
  assert.equal(problems.count, 1)
  assert.deepEqual(await selectRows('select pk, item, part, tracking_type from stock_tracking where pk >= 90 order by pk'), [
    { pk: 90, item: null, part: 12, tracking_type: 10 },
    { pk: 91, item: 21, part: null, tracking_type: 47 },
  ])
})

test('profiles, settings of plugins for accounts and rights of 1.5 are imported', async () => {
  const profile = {
    metadata: {},
    language: 'en',
    theme: { primaryColor: 'indigo' },
    widgets: null,
    displayname: 'The Boss',
    position: 'Stores',
  }
  const rights = { can_view: true, can_add: false, can_change: true, can_delete: false }
  const { problems } = await load([
    ...createWorkshopRecords(),
    record('users.userprofile', 2, {
      ...profile,
      user: ['ann'],
      status: null,
      location: 'Vienna',
      active: true,
      contact: null,
      type: 'external',
      organisation: null,
      primary_group: ['makers'],
    }),
    record('plugin.pluginconfig', 9, { key: 'inventreebarcode', name: 'InvenTreeBarcode', active: true, metadata: null }),
    record('plugin.pluginusersetting', 1, { plugin: 9, user: ['ann'], key: 'COLOR', value: 'red' }),
    record('users.ruleset', 71, { name: 'bom', group: ['makers'], ...rights }),
    record('users.ruleset', 72, { name: 'transfer_order', group: ['makers'], ...rights, can_view: false, can_change: false }),
  ])
  assert.deepEqual(problems.listFirst(), [])
  assert.deepEqual(
    await selectRows(`select p.language, p.theme, p.displayname, p.location, p.type, u.username, g.name as primary_group from user_profile p
      join user_account u on u.pk = p."user" left join user_group g on g.pk = p.primary_group where u.username = 'ann'`),
    [
      {
        language: 'en',
        theme: { primaryColor: 'indigo' },
        displayname: 'The Boss',
        location: 'Vienna',
        type: 'external',
        username: 'ann',
        primary_group: 'makers',
      },
    ],
  )
  assert.deepEqual(
    await selectRows(`select u.username, s.key, s.value from plugin_user_setting s join user_account u on u.pk = s."user"`),
    [{ username: 'ann', key: 'COLOR', value: 'red' }],
  )
  assert.deepEqual(
    await selectRows(`select r.name, can_view, can_change from rule_set r join user_group g on g.pk = r."group"
      where g.name = 'makers' and r.name in ('bom', 'transfer_order') order by r.name`),
    [
      { name: 'bom', can_view: true, can_change: true },
      { name: 'transfer_order', can_view: false, can_change: false },
    ],
  )
})

test('rights on parts decide about BOMs and stocktakes in dumps without rights on these', async () => {
  const rights = { can_view: true, can_add: true, can_change: true, can_delete: false }
  const others = createWorkshopRecords().filter(({ model }) => model !== 'users.ruleset')
  await load([...others, record('users.ruleset', 70, { name: 'part', group: ['makers'], ...rights })])
  assert.deepEqual(
    await selectRows(`select can_view, can_add, can_change, can_delete from rule_set r join user_group g on g.pk = r."group"
      where g.name = 'makers' and r.name in ('bom', 'stocktake')`),
    [rights, rights],
  )
})

test('an import says what accounts do whose second factors cannot be read', async () => {
  const report = await load([
    ...createWorkshopRecords(),
    record('mfa.authenticator', 1, { user: ['ann'], type: 'totp', data: { secret: 'sealed' } }),
    record('mfa.authenticator', 2, { user: ['ann'], type: 'recovery_codes', data: { seed: 'sealed' } }),
  ])
  assert.deepEqual(report.secondFactors, ['ann'])
  const lines = describeImport(report).join('\n')
  assert.match(lines, /Second factors cannot be read from a dump: ann can sign in with the password alone/)
  assert.match(lines, /mfa\.authenticator/)
})

test('tags keep their keys', async () => {
  await load([
    ...createWorkshopRecords().filter(({ model }) => !model.startsWith('taggit.')),
    record('taggit.tag', 7, { name: 'heavy', slug: 'heavy' }),
    record('taggit.tag', 3, { name: 'unused', slug: 'unused' }),
    record('taggit.taggeditem', 1, { tag: 7, content_type: ['part', 'part'], object_id: 12 }),
  ])
  assert.deepEqual(await selectRows('select pk, name from tag order by pk'), [
    { pk: 3, name: 'unused' },
    { pk: 7, name: 'heavy' },
  ])
  const [added] = await selectRows(`insert into tag (name) values ('new') returning pk`)
  assert.equal(added?.pk, 8)
})
