import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWire } from '../wire.ts'
import {
  validateBaseUrl,
  validateEmailDomains,
  validatePartNameFormat,
  validateReferencePattern,
  validateRegularExpression,
} from './checks.ts'
import { globalSettings, userSettings } from './registry.ts'
import type { Setting } from './setting.ts'
import { parseValue, type SettingContext, validateValue } from './value.ts'

const specification: SettingContext = { wire: readWire('specification') }
const inventree: SettingContext = { wire: readWire('inventree') }

const allSettings: Record<string, Setting> = { ...globalSettings, ...userSettings }

/** Returns the string to store, or the field of the error. */
function validate(key: string, value: unknown, context = specification): string {
  try {
    return validateValue(key, allSettings[key] as Setting, value, context)
  } catch (error) {
    return `rejected on ${Object.keys((error as { body: object }).body)}`
  }
}

test('a stored string becomes a value of its type; an invalid one becomes the default', () => {
  const {
    PART_ASSEMBLY,
    PART_COMPONENT,
    STOCK_STALE_DAYS,
    REPORT_DEFAULT_PAGE_SIZE,
    PRICING_DECIMAL_PLACES,
    INVENTREE_INSTANCE,
  } = globalSettings
  assert.equal(parseValue(PART_ASSEMBLY, 'True'), true)
  assert.equal(parseValue(PART_ASSEMBLY, 'on'), true)
  assert.equal(parseValue(PART_COMPONENT, 'nonsense'), false)
  assert.equal(parseValue(PART_COMPONENT, undefined), true)
  assert.equal(parseValue(STOCK_STALE_DAYS, '90'), 90)
  assert.equal(parseValue(STOCK_STALE_DAYS, 'many'), 0)
  assert.equal(parseValue(STOCK_STALE_DAYS, '99999999999'), 0)
  assert.equal(parseValue(PRICING_DECIMAL_PLACES, '40'), 6)
  assert.equal(parseValue(REPORT_DEFAULT_PAGE_SIZE, 'Letter'), 'Letter')
  assert.equal(parseValue(REPORT_DEFAULT_PAGE_SIZE, 'B5'), 'A4')
  assert.equal(parseValue(INVENTREE_INSTANCE, ''), '')
  assert.equal(parseValue(userSettings.DEFAULT_PART_LABEL_TEMPLATE, ''), null)
  assert.equal(parseValue(userSettings.DEFAULT_PART_LABEL_TEMPLATE, '7'), 7)
})

test('booleans are accepted as booleans and as strings for yes or no', () => {
  for (const yes of [true, 'true', 'True', 'YES', ' on ', '1', 1, 'ok'])
    assert.equal(validate('PART_ASSEMBLY', yes), 'True', String(yes))
  for (const no of [false, 'false', 'NO', 'off', '0', 0]) assert.equal(validate('PART_ASSEMBLY', no), 'False', String(no))
  assert.equal(validate('PART_ASSEMBLY', 'perhaps'), 'rejected on value')
  assert.equal(validate('PART_ASSEMBLY', ''), 'rejected on value')
  assert.equal(validate('PART_ASSEMBLY', 'perhaps', inventree), 'False')
  assert.equal(validate('PART_ASSEMBLY', '', inventree), 'False')
})

test('integers are accepted as numbers and as strings, within their limits', () => {
  for (const [value, stored] of [
    ['12', '12'],
    [12, '12'],
    [' +12 ', '12'],
    ['007', '7'],
    ['-0', '0'],
  ] as const)
    assert.equal(validate('STOCK_STALE_DAYS', value), stored)
  for (const value of ['many', '', '1.5', 1.5, '1e3', 'NaN', true])
    assert.equal(validate('STOCK_STALE_DAYS', value), 'rejected on value', String(value))
  assert.equal(validate('STOCK_STALE_DAYS', 'many', inventree), '0')
  assert.equal(validate('BARCODE_INPUT_DELAY', 'soon', inventree), '50')
  assert.equal(validate('PRICING_DECIMAL_PLACES', '1'), 'rejected on value')
  assert.equal(validate('PRICING_DECIMAL_PLACES', '7'), 'rejected on value')
  assert.equal(validate('PRICING_DECIMAL_PLACES', '7', inventree), 'rejected on non_field_errors')
  assert.equal(validate('STOCK_STALE_DAYS', '9'.repeat(1999)), 'rejected on value')
})

test('an empty optional integer never turns into the default', () => {
  assert.equal(validate('DEFAULT_ITEM_LABEL_TEMPLATE', ''), '')
  assert.equal(validate('DEFAULT_ITEM_LABEL_TEMPLATE', '5'), '5')
  assert.equal(validate('DEFAULT_ITEM_LABEL_TEMPLATE', 'x'), 'rejected on value')
  assert.equal(validate('DEFAULT_ITEM_LABEL_TEMPLATE', 'x', inventree), 'rejected on value')
})

test('a choice must be one of its list; an empty list accepts anything', () => {
  assert.equal(validate('INVENTREE_DEFAULT_CURRENCY', 'EUR'), 'EUR')
  assert.equal(validate('INVENTREE_DEFAULT_CURRENCY', 'ZZZ'), 'rejected on value')
  assert.equal(validate('INVENTREE_DEFAULT_CURRENCY', 'ZZZ', inventree), 'rejected on non_field_errors')
  assert.equal(validate('DATE_DISPLAY_FORMAT', 'DD/MM/YYYY'), 'DD/MM/YYYY')
  assert.equal(validate('SIGNUP_GROUP', '3'), '3')
})

test('a value of another type, too long, or with tags or control characters is rejected', () => {
  const key = 'INVENTREE_COMPANY_NAME'
  for (const value of [undefined, null, 5, [], {}, ['x'], 'x'.repeat(2001), '<b>Us</b>', 'a\u0000b', 'a\nb'])
    assert.equal(validate(key, value), 'rejected on value')
  assert.equal(validate(key, 'x'.repeat(2000)), 'x'.repeat(2000))
  assert.equal(validate(key, 'Größer & Söhne 3 < 4'), 'Größer & Söhne 3 < 4')
  assert.equal(validate(key, true), 'True')
})

test('a value fixed at process start cannot be changed', () => {
  const fixed = { INVENTREE_BASE_URL: 'https://stock.example.org' }
  assert.equal(validate('INVENTREE_BASE_URL', 'https://other.example.org', { ...specification, fixed }), 'rejected on value')
  assert.equal(
    validate('INVENTREE_BASE_URL', 'https://other.example.org', { ...inventree, fixed }),
    'rejected on non_field_errors',
  )
  assert.equal(
    validate('INVENTREE_BASE_URL', 'https://stock.example.org', { ...specification, fixed }),
    'https://stock.example.org',
  )
})

const checks: [name: string, check: (text: string) => unknown, good: string[], bad: string[]][] = [
  [
    'reference pattern',
    validateReferencePattern,
    ['PO-{ref:04d}', 'PX-{ref:05d}', 'RMA-{ref:04d}'],
    ['no ref', '', 'PO-{ref}-{ref}', '{other}{ref}', '{ref'],
  ],
  ['regular expression', validateRegularExpression, ['', '^[A-Z]{3}-\\d+\\-\\d$'], ['(', '[a', '*', '(.)\\1', '(a{255}){255}']],
  [
    'base URL',
    validateBaseUrl,
    ['', 'http://localhost:8000', 'https://stock.example.org/x', 'http://10.0.0.1', 'http://[::1]:8000'],
    ['stock', 'http://stock', 'ftp://stock.example.org', 'https://a b.org', 'javascript:alert(1)'],
  ],
  ['email domains', validateEmailDomains, ['', '@a.org', '@a.org,@b-c.org'], ['a.org', '@a.org,', ',', '@a b']],
  [
    'part name format',
    validatePartNameFormat,
    [globalSettings.PART_NAME_FORMAT.default, '', 'Part {{ part.name }}', `{{ part.IPN if part.active else "old" }}`],
    [
      ...['{{ part.colour }}', '{{ name }}', '{{ part.name', 'part.name }}', '{{ }}', '{% if part.name'],
      ...['{{ part.category }}', '{{ part.name|upper }}', '{{ part.IPN or part.name }}'],
    ],
  ],
]
for (const [name, check, good, bad] of checks) {
  test(`${name}: valid strings pass, and invalid ones are rejected`, () => {
    for (const text of good) assert.equal(check(text), undefined, text)
    for (const text of bad) assert.ok(check(text), text)
  })
}

test('every default is accepted as a value', () => {
  for (const [key, setting] of Object.entries(allSettings))
    assert.equal(validate(key, String(setting.default ?? '')).toLowerCase(), String(setting.default ?? '').toLowerCase(), key)
})

test('only settings with several lines have line breaks, each stored as one character', () => {
  assert.equal(validate('DOCUMENT_ADDRESS', 'Lane 1\r\nTown\nLand'), 'Lane 1\nTown\nLand')
  assert.equal(validate('DOCUMENT_ADDRESS', 'Lane\t1'), 'rejected on value')
  for (const key of ['DOCUMENT_TAX_ID', 'INVENTREE_COMPANY_NAME'] as const)
    assert.equal(validate(key, 'one\ntwo'), 'rejected on value')
})
