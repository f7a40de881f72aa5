import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWire } from '../wire.ts'
import { listSettings, readSetting, writeSetting } from './endpoints.ts'
import { globalSettings, userSettings } from './registry.ts'
import type { Setting, Settings } from './setting.ts'
import type { Owner, SettingRow, SettingStore } from './store.ts'
import { type SettingContext, toStoredText } from './value.ts'
import { toWireSetting } from './wire.ts'

const inventree: SettingContext = { wire: readWire('inventree') }
const specification: SettingContext = { wire: readWire('specification') }

/** Creates a store in memory with these values: the tested functions do not depend on the storage. */
function createMemoryStore(settings: Settings, owner: Owner, stored: Record<string, string> = {}): SettingStore {
  const rows: SettingRow[] = []
  const put = (key: string, value: string) => {
    const row = rows.find((entry) => entry.key === key)
    if (row) row.value = value
    else rows.push({ pk: rows.length + 1, key, value })
    return rows.find((entry) => entry.key === key) as SettingRow
  }
  for (const [key, value] of Object.entries(stored)) put(key, value)
  const row = (key: string) =>
    rows.find((entry) => entry.key === key) ?? put(key, toStoredText((settings[key] as Setting).default))
  return {
    settings,
    owner,
    all: async () => {
      for (const key of Object.keys(settings)) if (!key.startsWith('_')) row(key)
      return rows
    },
    row: async (key) => row(key),
    save: async (key, value) => put(key, value),
  }
}

const createGlobalStore = (stored?: Record<string, string>) => createMemoryStore(globalSettings, { typ: 'inventree' }, stored)

const isRejection =
  (status: number, ...fields: string[]) =>
  (problem: { status: number; body: object }) => {
    assert.deepEqual([problem.status, Object.keys(problem.body)], [status, fields])
    return true
  }

/** Returns a setting in the form recorded from InvenTree, without the name and the description. */
const toRecordedForm = (row: SettingRow, type: string, units = '') => ({
  ...row,
  type,
  units,
  choices: [],
  model_name: null,
  api_url: null,
  typ: 'inventree',
})

const toWire = (row: SettingRow, owner: Owner = { typ: 'inventree' }, context = inventree) => {
  const settings: Settings = owner.typ === 'user' ? userSettings : globalSettings
  return toWireSetting(row, settings[row.key], owner, context)
}

test('a setting is returned in the recorded form', () => {
  for (const [row, type, units] of [
    [{ pk: 25, key: 'PART_ASSEMBLY', value: 'False' }, 'boolean'],
    [{ pk: 2, key: 'INVENTREE_INSTANCE_TITLE', value: 'True' }, 'boolean'],
    [{ pk: 3, key: 'BARCODE_ENABLE', value: 'True' }, 'boolean'],
    [{ pk: 12, key: 'STOCK_STALE_DAYS', value: '12' }, 'integer', 'days'],
    [{ pk: 78, key: 'INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE', value: '1' }, 'integer', 'MB'],
    [{ pk: 88, key: 'BARCODE_INPUT_DELAY', value: '150' }, 'integer', 'ms'],
    [{ pk: 75, key: 'LABEL_DPI', value: '300' }, 'integer'],
    [{ pk: 73, key: 'PURCHASEORDER_REFERENCE_PATTERN', value: 'PX-{ref:05d}' }, 'string'],
    [{ pk: 124, key: 'INVENTREE_BASE_URL', value: '' }, 'string'],
    [{ pk: 15, key: 'INVENTREE_INSTANCE', value: 'InvenTree Demo Server' }, 'string'],
  ] as [SettingRow, string, string?][]) {
    const { name, description, ...rest } = toWire(row)
    assert.deepEqual(rest, toRecordedForm(row, type, units))
    assert.ok(name && description)
  }
})

test('the keys of a response are in the recorded order', () => {
  const keys = 'pk key value name description type units choices model_name api_url typ'.split(' ')
  assert.deepEqual(Object.keys(toWire({ pk: 1, key: 'PART_ASSEMBLY', value: 'False' })), keys)
  const own = toWire({ pk: 1, key: 'HOMEPAGE_NEWS', value: 'False' }, { typ: 'user', user: 4 })
  assert.deepEqual(Object.keys(own), keys.toSpliced(5, 0, 'user'))
  assert.deepEqual([own.typ, own.user], ['user', 4])
})

test('a choice is a string with its options', () => {
  const row = { pk: 1, key: 'INVENTREE_DEFAULT_CURRENCY', value: 'USD' }
  const currency = toWire(row)
  assert.equal(currency.type, 'string')
  assert.equal(currency.choices.length, 8)
  assert.deepEqual(currency.choices[0], { value: 'AUD', display_name: 'Australian Dollar' })
  assert.equal(toWire(row, undefined, specification).choices, JSON.stringify(currency.choices))
})

test('a model is a related field; a confidential value is hidden even if empty', () => {
  const texts = { name: 'Supplier', description: 'A supplier.' }
  const model: Setting = { ...texts, type: 'model', default: null, model: 'company.company', apiUrl: '/api/company/' }
  for (const context of [inventree, specification]) {
    const settingResponse = toWireSetting({ pk: 1, key: 'SUPPLIER_ID', value: '4' }, model, { typ: 'inventree' }, context)
    assert.deepEqual(
      [settingResponse.type, settingResponse.value, settingResponse.model_name, settingResponse.api_url],
      ['related field', '4', 'company.company', '/api/company/'],
    )
  }
  const secret: Setting = { ...texts, type: 'string', default: '', confidential: true }
  assert.equal(toWireSetting({ pk: 1, key: 'SECRET', value: '' }, secret, { typ: 'inventree' }, inventree).value, '***')
})

test('a missing property is an empty string, or, for existing clients, an empty list or null', () => {
  const row = { pk: 1, key: 'PART_ASSEMBLY', value: 'False' }
  const { choices, model_name, api_url, units } = toWire(row, undefined, specification)
  assert.deepEqual([choices, model_name, api_url, units], ['[]', '', '', ''])
  const { choices: list, model_name: model, api_url: address } = toWire(row)
  assert.deepEqual([list, model, address], [[], null, null])
})

test('the list contains every public key, including rows whose setting no longer exists', async () => {
  const list = await listSettings(
    createGlobalStore({ PLUGIN_CHECK_SIGNATURES: 'False', _PLUGIN_REGISTRY_HASH: 'x' }),
    {},
    inventree,
  )
  assert.equal(list.length, 176)
  assert.deepEqual([list[0]?.key, list[0]?.type, list[0]?.name], ['PLUGIN_CHECK_SIGNATURES', 'string', ''])
  assert.equal((await listSettings(createMemoryStore(userSettings, { typ: 'user', user: 1 }), {}, inventree)).length, 69)
})

test('search matches each word in the key', async () => {
  const keys = async (search: string) =>
    (await listSettings(createGlobalStore(), { search }, inventree)).map((setting) => setting.key).sort()
  assert.deepEqual(await keys('Transfer'), [
    'STOCK_ALLOW_OUT_OF_STOCK_TRANSFER',
    'STOCK_MERGE_ON_TRANSFER',
    'TRANSFERORDER_EDIT_COMPLETED_ORDERS',
    'TRANSFERORDER_ENABLED',
    'TRANSFERORDER_REFERENCE_PATTERN',
    'TRANSFERORDER_REQUIRE_RESPONSIBLE',
  ])
  assert.deepEqual(await keys('Enable for'), ['LOGIN_ENABLE_PWD_FORGOT'])
  assert.equal((await keys('for')).length, 5)
  assert.deepEqual(await keys('zzzznone'), [])
  assert.equal((await keys(' ')).length, 175)
})

test('ordering is by pk, key or name; other names are ignored', async () => {
  const keys = async (ordering: string) =>
    (await listSettings(createGlobalStore({ TEST_STATION_DATA: 'True' }), { ordering }, inventree)).map((entry) => entry.key)
  const sorted = (await keys('')).toSorted()
  assert.deepEqual(await keys('key'), sorted)
  assert.deepEqual(await keys('-key'), sorted.toReversed())
  assert.equal((await keys('pk'))[0], 'TEST_STATION_DATA')
  assert.equal((await keys('-pk')).at(-1), 'TEST_STATION_DATA')
  assert.deepEqual(await keys('nonsense'), await keys('pk'))
  const names = (await listSettings(createGlobalStore(), { ordering: 'name' }, inventree)).map((entry) => entry.name)
  assert.deepEqual(names, names.toSorted())
})

test('a setting is read and written in the recorded form', async () => {
  const store = createGlobalStore()
  const value = async (method: 'PUT' | 'PATCH', key: string, body: object) =>
    (await writeSetting(store, key, method, body, inventree)).value
  assert.equal((await readSetting(store, 'part_assembly', inventree)).value, 'False')
  assert.equal(await value('PATCH', 'PART_ASSEMBLY', { value: true }), 'True')
  assert.equal(await value('PUT', 'PART_ASSEMBLY', { value: 'false' }), 'False')
  assert.equal(await value('PATCH', 'PART_ASSEMBLY', {}), 'False')
  assert.equal(await value('PATCH', 'STOCK_STALE_DAYS', { value: '12' }), '12')
  assert.equal(await value('PATCH', 'STOCK_STALE_DAYS', { value: 'many' }), '0')
  assert.equal(await value('PATCH', 'PURCHASEORDER_REFERENCE_PATTERN', { value: 'PX-{ref:05d}' }), 'PX-{ref:05d}')
  assert.equal(await value('PATCH', 'part_assembly', { value: true, key: 'OTHER', pk: 9 }), 'True')
  await assert.rejects(value('PATCH', 'INVENTREE_DEFAULT_CURRENCY', { value: 'ZZZ' }), isRejection(400, 'non_field_errors'))
  await assert.rejects(value('PATCH', 'PURCHASEORDER_REFERENCE_PATTERN', { value: 'no ref' }), isRejection(400, 'value'))
  assert.equal(await value('PATCH', 'STOCK_BATCH_CODE_TEMPLATE', { value: 'B{{ year }}' }), 'B{{ year }}')
  await assert.rejects(value('PATCH', 'STOCK_BATCH_CODE_TEMPLATE', { value: 'B{{ yaer }}' }), isRejection(400, 'value'))
  await assert.rejects(value('PUT', 'PART_ASSEMBLY', {}), isRejection(400, 'value'))
  await assert.rejects(value('PATCH', 'PART_ASSEMBLY', { value: null }), isRejection(400, 'value'))
  for (const key of ['_PENDING_MIGRATIONS', 'NO_SUCH', '12']) {
    await assert.rejects(value('PATCH', key, { value: '1' }), isRejection(404, 'detail'))
    await assert.rejects(readSetting(store, key, inventree), isRejection(404, 'detail'))
  }
})
