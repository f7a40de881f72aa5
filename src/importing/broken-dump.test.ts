import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OperatorError } from '../operator-error.ts'
import { databasePerTest } from '../testing/database.ts'
import { createWorkshopRecords, type FixtureRecord, writeDumpFile } from './fixture.ts'
import { importDump } from './import.ts'
import { describeOmitted } from './report.ts'

const getPool = databasePerTest()

const toJson = (records: readonly unknown[]) => JSON.stringify(records, null, 2)
const text = toJson(createWorkshopRecords())

/** The workshop with changed fields of one record; undefined removes a field. */
function change(model: string, pk: number, fields: Record<string, unknown>): FixtureRecord[] {
  const records = createWorkshopRecords()
  const match = records.find((record) => record.model === model && record.pk === pk) ?? assert.fail(`${model} ${pk}`)
  Object.assign(match.fields, fields)
  return records
}

/** The workshop with further records. */
const add = (...records: unknown[]) => [...createWorkshopRecords(), ...records]

const company = { model: 'company.company', pk: 3, fields: { name: 'Nuts Ltd', currency: 'EUR' } }
const unit = (pk: number, definition: string) => ({ model: 'common.customunit', pk, fields: { name: `unit_${pk}`, definition } })
const state = (fields: object) => ({
  model: 'common.inventreecustomuserstatemodel',
  pk: 1,
  fields: { reference_status: 'StockStatus', key: 111, logical_key: 10, name: 'SEEN', label: 'Seen', color: 'info', ...fields },
})
const attachment = { model: 'common.attachment', pk: 4, fields: { model_id: 12, attachment: 'a.pdf', comment: '' } }
const parameter = { model: 'common.parameter', pk: 4, fields: { model_id: 12, template: 1, data: 'x' } }

/** A damage, the dump with it, and the line of the error: of which record (model and key, or the last one) and its text. */
type Damage = readonly [damage: string, dump: unknown[] | string | Buffer, record: string, error: RegExp]

const DAMAGED_FILES: readonly Damage[] = [
  [
    'the file ends in the middle of a record',
    text.slice(0, 900),
    '',
    /^the dump is truncated: the record that starts on line 47 /,
  ],
  ['the file ends before the list does', text.slice(0, -1), '', /^the dump is truncated: .* line 518 /],
  ['a comma is missing', text.replace('"pk": 8,', '"pk": 8'), '', /starts on line 205 is not JSON: unexpected .* on line 208$/],
  ['a comma is too many', text.replace('"status": 20', '"status": ,20'), '', /starts on line 205 is not JSON: unexpected ','$/],
  [
    'it is one object',
    '{"model": "part.part", "pk": 1, "fields": {}}',
    '',
    /^the file is not a dump: it must contain a JSON list/,
  ],
  ['it is not JSON', 'part,quantity\nBracket,7\n', '', /^the file is not a dump: it must contain a JSON list/],
  ['it is Latin-1', Buffer.from(text.replace('Ltd', 'Söhne'), 'latin1'), '', /starts on line 350 is not UTF-8$/],
  ['it is UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), '', /^the file is not a dump: it must contain a JSON list/],
  [
    'it has a NUL character',
    text.replace('Screws Ltd', 'Sc\0rews Ltd'),
    '',
    /starts on line 350 is not JSON: unexpected .* on line 354$/,
  ],
  [
    'a record is giant',
    change('company.company', 2, { notes: 'x'.repeat(19_000_000) }),
    '',
    /starts on line 350 is larger than 16777216 bytes$/,
  ],
]

const DAMAGED_RECORDS: readonly Damage[] = [
  ['a record is a number', add(17), '', /^it is not a record: it must have a model, a pk, and fields$/],
  ['a record has no model', add({ pk: 3, fields: {} }), '', /^it is not a record: /],
  ['a record has a list as fields', add({ ...company, fields: [] }), '', /^company.company 3: it is not a record: /],
  [
    'a key is missing',
    add({ ...company, pk: undefined }),
    '',
    /^company.company: its pk must be a whole number from 1 to 2147483646$/,
  ],
  [
    'a key is a text',
    add({ ...company, pk: 'nuts' }),
    '',
    /^company.company: its pk must be a whole number from 1 to 2147483646$/,
  ],
  ['a key is there twice', add({ ...company, pk: 2 }), '', /^company.company 2: another record has the same pk$/],
  [
    'a text is a number',
    change('stock.stockitem', 21, { location: 'here' }),
    'stock.stockitem 21',
    /: location "here" is not a whole number$/,
  ],
  [
    'an object is a text',
    change('company.company', 2, { name: { en: 'Screws' } }),
    'company.company 2',
    /: name {"en":"Screws"} is not a text$/,
  ],
  [
    'a list is a text',
    change('company.company', 2, { name: ['Screws'] }),
    'company.company 2',
    /: name \["Screws"\] is not a text$/,
  ],
  [
    'a text is a boolean',
    change('company.company', 2, { is_supplier: 'maybe' }),
    'company.company 2',
    /: is_supplier "maybe" is not true or false$/,
  ],
  [
    'a required field is missing',
    change('stock.stockitem', 21, { part: undefined }),
    'stock.stockitem 21',
    /: part must have a value$/,
  ],
  ['a required field is null', change('company.company', 2, { name: null }), 'company.company 2', /: name must have a value$/],
  ['a reference goes nowhere', change('stock.stockitem', 21, { part: 99 }), 'stock.stockitem 21', /: part 99 does not exist$/],
  [
    'an account is not there',
    change('order.purchaseorder', 8, { created_by: ['bob'] }),
    'order.purchaseorder 8',
    /: created_by \["bob"\] does not exist$/,
  ],
  [
    'parents form a circle',
    change('stock.stocklocation', 31, { parent: 32 }),
    'stock.stocklocation 31',
    /: parent: it is below itself$/,
  ],
  ['a parent is the record itself', change('build.build', 3, { parent: 3 }), 'build.build 3', /: parent: it is below itself$/],
  [
    'a quantity is negative',
    change('stock.stockitem', 21, { quantity: '-1' }),
    'stock.stockitem 21',
    /: quantity "-1" is out of range$/,
  ],
  [
    'a quantity is no number',
    change('stock.stockitem', 21, { quantity: 'NaN' }),
    'stock.stockitem 21',
    /: quantity "NaN" is not a number$/,
  ],
  [
    'a quantity is too large',
    change('stock.stockitem', 21, { quantity: '9'.repeat(30) }),
    'stock.stockitem 21',
    /: quantity "9{30}" is too large to be stored$/,
  ],
  [
    'a whole number is too large',
    change('part.part', 13, { default_expiry: 1e12 }),
    'part.part 13',
    /: default_expiry 1000000000000 is too large to be stored$/,
  ],
  [
    'a discount is more than the price',
    change('order.purchaseorderlineitem', 9, { discount: '120' }),
    'order.purchaseorderlineitem 9',
    /: discount "120" is out of range$/,
  ],
  [
    'a date does not exist',
    change('order.purchaseorder', 8, { creation_date: '2023-02-30' }),
    'order.purchaseorder 8',
    /: creation_date "2023-02-30" is not a date$/,
  ],
  [
    'a date is a word',
    change('order.purchaseorder', 8, { creation_date: 'tomorrow' }),
    'order.purchaseorder 8',
    /: creation_date "tomorrow" is not a date$/,
  ],
  [
    'a time is a word',
    change('stock.stockitem', 21, { updated: 'now' }),
    'stock.stockitem 21',
    /: updated "now" is not a date with its time$/,
  ],
  [
    'a status is unknown',
    change('order.purchaseorder', 8, { status: 77 }),
    'order.purchaseorder 8',
    /: status 77 is out of range$/,
  ],
  [
    'a status is a word',
    change('build.build', 3, { status: 'pending' }),
    'build.build 3',
    /: status "pending" is not a whole number$/,
  ],
  [
    'a custom state is of an unknown status',
    add(state({ reference_status: 'Mood' })),
    '',
    /: reference_status "Mood" has no custom states$/,
  ],
  [
    'a custom state has an unknown logical status',
    add(state({ logical_key: 12 })),
    '',
    /: logical_key 12 is not a status of StockStatus$/,
  ],
  [
    'a text has a NUL character',
    change('company.company', 2, { name: 'a\0b' }),
    'company.company 2',
    /: name contains a character that cannot be stored$/,
  ],
  [
    'a text is giant',
    change('company.company', 2, { name: 'x'.repeat(2_000_000) }),
    'company.company 2',
    /: name is longer than 100 characters$/,
  ],
  [
    'a serial number is there twice',
    change('stock.stockitem', 21, { serial: '7', quantity: '1' }),
    'stock.stockitem 21',
    /: serial 7 is already used by an item of the same part or a variant$/,
  ],
  [
    'a link is a script',
    change('order.purchaseorder', 8, { link: 'javascript:alert(1)' }),
    'order.purchaseorder 8',
    /: link "javascript:alert\(1\)" is not a web address$/,
  ],
  [
    'a website is no address',
    change('company.company', 2, { website: 'ask Ann' }),
    'company.company 2',
    /: website "ask Ann" is not a web address$/,
  ],
  [
    'a link is too long',
    change('order.purchaseorder', 8, { link: `https://a.example/${'x'.repeat(3000)}` }),
    'order.purchaseorder 8',
    /: link is longer than 2000 characters$/,
  ],
  ['a unit is unknown', change('part.part', 13, { units: 'glorp' }), 'part.part 13', /: units "glorp" is not a unit of measure$/],
  [
    'a custom unit is defined by an unknown one',
    add(unit(1, '12'), unit(2, '3 * glorp')),
    '',
    /: definition "3 \* glorp" is not a unit of measure$/,
  ],
  [
    'a currency is unknown',
    change('stock.stockitem', 21, { purchase_price_currency: 'XXQ' }),
    'stock.stockitem 21',
    /: purchase_price_currency "XXQ" is not a known currency$/,
  ],
  [
    'an owner is neither user nor group',
    change('users.owner', 7, { owner_type: ['part', 'part'] }),
    'users.owner 7',
    /: owner_type \["part","part"\] is neither \["auth", "user"\] nor \["auth", "group"\]$/,
  ],
  [
    'an attachment is of a wrong kind',
    add({ ...attachment, fields: { ...attachment.fields, model_type: 'house' } }),
    '',
    /: model_type "house" has no attachments/,
  ],
  [
    'a parameter is of a wrong kind',
    add({ ...parameter, fields: { ...parameter.fields, model_type: ['auth', 'user'] } }),
    '',
    /: model_type: objects of the kind \["auth","user"\] have no parameters/,
  ],
]

/** The line on which a record begins; without a name the last one. */
function findLine(dump: unknown[], record: string): number {
  const index = dump.findIndex((entry) => {
    const { model, pk } = Object(entry) as Partial<FixtureRecord>
    return `${model} ${pk}` === record
  })
  return Math.max(2, toJson(dump.slice(0, index < 0 ? dump.length - 1 : index)).split('\n').length)
}

const load = (dump: Damage[1], skipInvalid = false) =>
  importDump(getPool(), writeDumpFile(Array.isArray(dump) ? toJson(dump) : dump), { skipInvalid })

async function readError(dump: Damage[1]): Promise<string> {
  const error: unknown = await load(dump).then(
    () => assert.fail('it was imported'),
    (error) => error,
  )
  assert.ok(error instanceof OperatorError, String(error))
  assert.doesNotMatch(error.message, /\bat \S+:\d+|select |insert |json_populate|relation "|violates/i)
  return error.message
}

const countObjects = async () =>
  (
    await getPool().query(
      'select (select count(*) from part) + (select count(*) from user_account) + (select count(*) from company) as n',
    )
  ).rows[0].n

describe('a damaged dump', () => {
  for (const [damage, dump, , error] of DAMAGED_FILES)
    it(`is rejected if ${damage}`, async () => {
      assert.match(await readError(dump), error)
      assert.equal(await countObjects(), 0)
    })

  for (const [damage, dump, record, error] of DAMAGED_RECORDS)
    it(`is rejected if ${damage}`, async () => {
      const message = await readError(dump)
      const prefix = `line ${findLine(dump as unknown[], record)}: `
      const own = message.split('\n').filter((line) => line.startsWith(prefix))
      assert.equal(own.length, 1, message)
      const [line = ''] = own
      assert.match(line.slice(prefix.length), error)
      assert.ok(record === '' || line.startsWith(`${prefix}${record}: `), line)
      // all others only depend on it
      const others = message.split('\n').filter((entry) => /^line \d/.test(entry) && entry !== line)
      for (const other of others)
        assert.match(other, /(was rejected \(line \d+\)|\["ann"\] does not exist|it is below itself|is already used)/)
      assert.match(message, /\nNothing was imported\. With --skip-invalid, the valid records are imported without these\.$/)
      assert.equal(await countObjects(), 0)
    })
})

describe('a dump with something unknown is imported, and the report names', () => {
  it('the model', async () => {
    const { kinds } = await load(add({ model: 'gadget.thing', pk: 1, fields: {} }))
    assert.deepEqual(
      kinds.find(({ model }) => model === 'gadget.thing'),
      { model: 'gadget.thing', read: 1, loaded: 0, leftOut: 1, reason: 'not supported', omitted: [] },
    )
  })

  it('the field', async () => {
    const { kinds } = await load(change('company.company', 2, { mood: 'cheerful' }))
    assert.ok(describeOmitted(kinds).includes('  company.company mood: 1'))
  })

  it('tags of objects that are not loaded', async () => {
    const tag = { model: 'taggit.taggeditem', pk: 2, fields: { tag: 1, content_type: ['gadget', 'thing'], object_id: 12 } }
    const { kinds } = await load(add(tag))
    assert.deepEqual(
      kinds.find(({ model }) => model === 'taggit.taggeditem'),
      { model: 'taggit.taggeditem', read: 2, loaded: 1, leftOut: 1, reason: 'of objects that are not loaded', omitted: [] },
    )
  })

  it('custom states of outcomes of returned items', async () => {
    const { kinds } = await load(add(state({ reference_status: 'ReturnOrderLineStatus' })))
    assert.equal(
      kinds.find(({ model }) => model.endsWith('statemodel'))?.reason,
      '1 of outcomes of returned items, which have no custom states',
    )
  })
})

describe('--skip-invalid', () => {
  it('reports each skipped record with its reason, and what depended on it', async () => {
    const file = { ...attachment, fields: { ...attachment.fields, model_type: 'part', model_id: 13 } }
    const dump = [...change('part.part', 13, { units: 'glorp' }), file]
    const { problems, kinds } = await load(dump, true)
    const line = (record: string) => findLine(dump, record)
    const [part, item, attached] = [line('part.part 13'), line('stock.stockitem 23'), line('common.attachment 4')]
    assert.deepEqual(problems.describe(), [
      `line ${line('order.salesorderallocation 1')}: order.salesorderallocation 1: item 23 was rejected (line ${item})`,
      `line ${line('stock.stockitem 22')}: stock.stockitem 22: belongs_to 23 was rejected (line ${item})`,
      `line ${item}: stock.stockitem 23: part 13 was rejected (line ${part})`,
      `line ${part}: part.part 13: units "glorp" is not a unit of measure`,
      `line ${attached}: common.attachment 4: its object was rejected (line ${part})`,
    ])
    const skipped = kinds.filter(({ leftOut }) => leftOut > 0).map(({ model, leftOut }) => [model, leftOut])
    assert.deepEqual(skipped, [
      ['common.attachment', 1],
      ['order.salesorderallocation', 1],
      ['part.part', 1],
      ['sessions.session', 1],
      ['stock.stockitem', 2],
    ])
    const { rows } = await getPool().query('select pk from part union all select pk from stock_item order by pk')
    assert.deepEqual(rows, [{ pk: 12 }, { pk: 21 }])
  })

  it('loads what is outside of a circle, and names the records below it', async () => {
    const category = (pk: number, parent: number | null) => ({
      model: 'part.partcategory',
      pk,
      fields: { name: `Category ${pk}`, parent },
    })
    const dump = [category(5, 4), category(4, 3), category(2, 3), category(3, 2), category(1, null)]
    const { problems } = await load(dump, true)
    assert.deepEqual(
      problems.describe().map((text) => text.replace(/^line \d+: part.partcategory /, '')),
      [
        '5: parent 4 was rejected (line 10)',
        '4: parent 3 was rejected (line 26)',
        '2: parent: it is below itself',
        '3: parent: it is below itself',
      ],
    )
  })
})
