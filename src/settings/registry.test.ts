import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../paths.ts'
import { findSetting, globalSetting, globalSettings, isServed, userSetting, userSettings } from './registry.ts'
import type { Setting, Settings } from './setting.ts'
import { getChoices, toStoredText } from './value.ts'

/** Names of settings as user interfaces display them, recorded from InvenTree. */
const NAMES = join(ROOT, '../shared/reference/transcripts/setting-names.json')
/** The same of API 530, for settings that came since. Some of them were not recorded. */
const LATER_NAMES = join(ROOT, '../shared/reference/530/transcripts/setting-names.json')

type Reference = {
  on: string
  off: string
  /** Type, default, and the limits and unit. */
  other: Record<string, [type: string, initial: string, limits?: string]>
}

const NAME_FORMAT =
  "{{ part.IPN if part.IPN }}{{ ' | ' if part.IPN }}{{ part.name }}{{ ' | ' if part.revision }}{{ part.revision if part.revision }}"

// The settings that existing clients know. These defaults are our own: the name of the instance; registration, which is open until someone
// disables it; and what Stockroom did before it had the settings, that is, storing scans, emails sent by plugins, and the deletion of parts in
// assemblies. The retention of scans, the hour of backups and the letterhead are settings
// of our own.
const globalReference: Reference = {
  on: `
    INVENTREE_STRICT_URLS INVENTREE_REQUIRE_CONFIRM BARCODE_ENABLE BARCODE_WEBCAM_SUPPORT PART_ENABLE_REVISION
    PART_ALLOW_DUPLICATE_IPN PART_ALLOW_EDIT_IPN PART_COPY_BOM PART_COPY_PARAMETERS PART_COPY_TESTS
    PART_CATEGORY_PARAMETERS PART_COMPONENT PART_PURCHASEABLE PART_SHOW_RELATED PART_CREATE_SUPPLIER
    PART_PARAMETER_ENFORCE_UNITS PRICING_USE_SUPPLIER_PRICING PRICING_USE_STOCK_PRICING PRICING_USE_VARIANT_PRICING
    LABEL_ENABLE REPORT_ENABLE_TEST_REPORT STOCK_DELETE_DEPLETED_DEFAULT STOCK_ENFORCE_BOM_INSTALLATION
    PURCHASEORDER_AUTO_COMPLETE LOGIN_ENABLE_PWD_FORGOT LOGIN_ENABLE_REG LOGIN_SIGNUP_SSO_AUTO LOGIN_SIGNUP_PWD_TWICE
    PLUGIN_UPDATE_CHECK INVENTREE_SHOW_SUPERUSER_BANNER BARCODE_STORE_RESULTS PART_ENABLE_LOCKING
    PART_ALLOW_DELETE_FROM_ASSEMBLY PRICING_AUTO_UPDATE STOCK_ALLOW_EDIT_SERIAL STOCK_ALLOW_DELETE_SERIALIZED
    PURCHASEORDER_MERGE_LINE_ITEMS SSO_REMOVE_GROUPS ENABLE_PLUGINS_MAILS DISPLAY_PROFILE_INFO MACHINE_PING_ENABLED`,
  off: `
    _SETUP_DISMISSED SERVER_RESTART_REQUIRED INVENTREE_INSTANCE_TITLE INVENTREE_RESTRICT_ABOUT INVENTREE_DOWNLOAD_FROM_URL
    INVENTREE_BACKUP_ENABLE PART_TEMPLATE PART_ASSEMBLY PART_SALABLE PART_TRACKABLE PART_VIRTUAL PART_SHOW_IMPORT
    PART_CREATE_INITIAL PRICING_PURCHASE_HISTORY_OVERRIDES_SUPPLIER PRICING_ACTIVE_VARIANTS PART_INTERNAL_PRICE
    PART_BOM_USE_INTERNAL_PRICE REPORT_ENABLE REPORT_DEBUG_MODE REPORT_LOG_ERRORS REPORT_ATTACH_TEST_REPORT
    SERIAL_NUMBER_GLOBALLY_UNIQUE SERIAL_NUMBER_AUTOFILL STOCK_ENABLE_EXPIRY STOCK_ALLOW_EXPIRED_SALE
    STOCK_ALLOW_EXPIRED_BUILD STOCK_OWNERSHIP_CONTROL STOCK_SHOW_INSTALLED_ITEMS STOCK_ALLOW_OUT_OF_STOCK_TRANSFER
    BUILDORDER_REQUIRE_RESPONSIBLE PREVENT_BUILD_COMPLETION_HAVING_INCOMPLETED_TESTS RETURNORDER_ENABLED
    RETURNORDER_REQUIRE_RESPONSIBLE RETURNORDER_EDIT_COMPLETED_ORDERS TRANSFERORDER_ENABLED
    TRANSFERORDER_REQUIRE_RESPONSIBLE TRANSFERORDER_EDIT_COMPLETED_ORDERS SALESORDER_REQUIRE_RESPONSIBLE
    SALESORDER_DEFAULT_SHIPMENT SALESORDER_EDIT_COMPLETED_ORDERS PURCHASEORDER_REQUIRE_RESPONSIBLE
    PURCHASEORDER_EDIT_COMPLETED_ORDERS LOGIN_ENABLE_SSO LOGIN_ENABLE_SSO_REG LOGIN_MAIL_REQUIRED LOGIN_SIGNUP_MAIL_TWICE
    LOGIN_ENFORCE_MFA PLUGIN_ON_STARTUP ENABLE_PLUGINS_URL ENABLE_PLUGINS_NAVIGATION ENABLE_PLUGINS_APP
    ENABLE_PLUGINS_SCHEDULE ENABLE_PLUGINS_EVENTS PROJECT_CODES_ENABLED STOCKTAKE_ENABLE STOCKTAKE_EXCLUDE_EXTERNAL
    DISPLAY_FULL_NAMES TEST_STATION_DATA INVENTREE_ANNOUNCE_ID INVENTREE_SHOW_ADMIN_BANNER INVENTREE_PROTECT_EMAIL_LOG
    BARCODE_SHOW_TEXT PART_REVISION_ASSEMBLY_ONLY PART_BOM_ALLOW_ZERO_QUANTITY REPORT_FETCH_URLS STOCK_MERGE_ON_TRANSFER
    BUILDORDER_REQUIRE_ACTIVE_PART BUILDORDER_REQUIRE_LOCKED_PART BUILDORDER_REQUIRE_VALID_BOM
    BUILDORDER_REQUIRE_CLOSED_CHILDS BUILDORDER_EXTERNAL_BUILDS BUILDORDER_EXTERNAL_REQUIRED
    SALESORDER_SHIPMENT_REQUIRES_CHECK SALESORDER_SHIP_COMPLETE SALESORDER_BLOCK_INCOMPLETE_ITEM_TESTS
    PURCHASEORDER_CONVERT_CURRENCY LOGIN_ENABLE_SSO_GROUP_SYNC ENABLE_PLUGINS_INTERFACE STOCKTAKE_DELETE_OLD_ENTRIES
    STOCK_TRACKING_DELETE_OLD_ENTRIES`,
  other: {
    _PENDING_MIGRATIONS: ['integer', '0'],
    _GLOBAL_WARNING: ['string', ''],
    INVENTREE_INSTANCE_ID: ['string', ''],
    CURRENCY_CODES: ['string', 'AUD,CAD,CNY,EUR,GBP,JPY,NZD,USD'],
    INVENTREE_UPLOAD_MAX_SIZE: ['integer', '10', '1-1024 MB'],
    INVENTREE_DELETE_EMAIL_DAYS: ['integer', '30', '>=7 days'],
    BARCODE_RESULTS_MAX_NUM: ['integer', '100', '>=1'],
    BARCODE_GENERATION_PLUGIN: ['choice', 'inventreebarcode'],
    SSO_GROUP_KEY: ['string', 'groups'],
    SSO_GROUP_MAP: ['string', '{}'],
    STOCKTAKE_DELETE_DAYS: ['integer', '365', '>=30 days'],
    STOCK_TRACKING_DELETE_DAYS: ['integer', '365', '>=30 days'],
    WEEK_STARTS_ON: ['choice', '1'],
    CALENDAR_HORIZON_MONTHS: ['integer', '12', '>=1 months'],
    INVENTREE_INSTANCE: ['string', 'Stockroom'],
    INVENTREE_COMPANY_NAME: ['string', 'My company name'],
    INVENTREE_BASE_URL: ['string', ''],
    INVENTREE_DEFAULT_CURRENCY: ['choice', 'USD'],
    CURRENCY_UPDATE_INTERVAL: ['integer', '1', '>=0 days'],
    CURRENCY_UPDATE_PLUGIN: ['choice', 'inventreecurrencyexchange'],
    INVENTREE_DOWNLOAD_IMAGE_MAX_SIZE: ['integer', '1', '1-25 MB'],
    INVENTREE_DOWNLOAD_FROM_URL_USER_AGENT: ['string', ''],
    INVENTREE_TREE_DEPTH: ['integer', '1', '>=0'],
    INVENTREE_UPDATE_CHECK_INTERVAL: ['integer', '7', '>=0 days'],
    INVENTREE_BACKUP_DAYS: ['integer', '1', '>=1 days'],
    INVENTREE_BACKUP_HOUR: ['integer', '', '0-23'],
    INVENTREE_DELETE_TASKS_DAYS: ['integer', '30', '>=7 days'],
    INVENTREE_DELETE_ERRORS_DAYS: ['integer', '30', '>=7 days'],
    INVENTREE_DELETE_NOTIFICATIONS_DAYS: ['integer', '30', '>=7 days'],
    BARCODE_INPUT_DELAY: ['integer', '50', '>=1 ms'],
    BARCODE_RESULTS_DAYS: ['integer', '90', '>=1 days'],
    PART_IPN_REGEX: ['string', ''],
    PART_NAME_FORMAT: ['string', NAME_FORMAT],
    PART_CATEGORY_DEFAULT_ICON: ['string', ''],
    PRICING_DECIMAL_PLACES_MIN: ['integer', '0', '0-4'],
    PRICING_DECIMAL_PLACES: ['integer', '6', '2-6'],
    PRICING_STOCK_ITEM_AGE_DAYS: ['integer', '0', '>=0 days'],
    PRICING_UPDATE_DAYS: ['integer', '30', '>=10 days'],
    LABEL_DPI: ['integer', '300', '>=100'],
    REPORT_DEFAULT_PAGE_SIZE: ['choice', 'A4'],
    DOCUMENT_ADDRESS: ['string', ''],
    DOCUMENT_CONTACT: ['string', ''],
    DOCUMENT_TAX_ID: ['string', ''],
    DOCUMENT_FOOTER: ['string', ''],
    DOCUMENT_LANGUAGE: ['choice', 'en'],
    STOCK_BATCH_CODE_TEMPLATE: ['string', ''],
    STOCK_STALE_DAYS: ['integer', '0', 'days'],
    STOCK_LOCATION_DEFAULT_ICON: ['string', ''],
    BUILDORDER_REFERENCE_PATTERN: ['string', 'BO-{ref:04d}'],
    RETURNORDER_REFERENCE_PATTERN: ['string', 'RMA-{ref:04d}'],
    SALESORDER_REFERENCE_PATTERN: ['string', 'SO-{ref:04d}'],
    TRANSFERORDER_REFERENCE_PATTERN: ['string', 'TO-{ref:04d}'],
    PURCHASEORDER_REFERENCE_PATTERN: ['string', 'PO-{ref:04d}'],
    LOGIN_SIGNUP_MAIL_RESTRICTION: ['string', ''],
    SIGNUP_GROUP: ['choice', ''],
    STOCKTAKE_AUTO_DAYS: ['integer', '0', '>=0'],
    STOCKTAKE_DELETE_REPORT_DAYS: ['integer', '30', '>=7 days'],
  },
}

const userReference: Reference = {
  on: `
    HOMEPAGE_HIDE_INACTIVE SEARCH_PREVIEW_SHOW_STOCK HOMEPAGE_PART_STARRED HOMEPAGE_CATEGORY_STARRED HOMEPAGE_PART_LATEST
    SEARCH_PREVIEW_SHOW_COMPANIES SEARCH_PREVIEW_SHOW_BUILD_ORDERS HOMEPAGE_STOCK_RECENT
    SEARCH_PREVIEW_SHOW_PURCHASE_ORDERS HOMEPAGE_STOCK_LOW SEARCH_PREVIEW_EXCLUDE_INACTIVE_PURCHASE_ORDERS
    SEARCH_PREVIEW_SHOW_SALES_ORDERS SEARCH_PREVIEW_EXCLUDE_INACTIVE_SALES_ORDERS HOMEPAGE_STOCK_EXPIRED
    SEARCH_PREVIEW_SHOW_RETURN_ORDERS HOMEPAGE_STOCK_STALE SEARCH_PREVIEW_EXCLUDE_INACTIVE_RETURN_ORDERS
    HOMEPAGE_BUILD_PENDING HOMEPAGE_BUILD_OVERDUE HOMEPAGE_PO_OUTSTANDING HOMEPAGE_PO_OVERDUE PART_SHOW_QUANTITY_IN_FORMS
    HOMEPAGE_SO_OUTSTANDING HOMEPAGE_SO_OVERDUE HOMEPAGE_SO_SHIPMENTS_PENDING DISPLAY_SCHEDULE_TAB LABEL_INLINE
    DISPLAY_STOCKTAKE_TAB SEARCH_PREVIEW_SHOW_PARTS SEARCH_PREVIEW_SHOW_SUPPLIER_PARTS
    SEARCH_PREVIEW_SHOW_MANUFACTURER_PARTS NOTIFICATION_ERROR_REPORT SEARCH_PREVIEW_SHOW_SALES_ORDER_SHIPMENTS SHOW_SPOTLIGHT
    SHOW_BOM_SUBASSEMBLY_LEVELS`,
  off: `
    SEARCH_PREVIEW_HIDE_UNAVAILABLE_STOCK SEARCH_PREVIEW_SHOW_LOCATIONS HOMEPAGE_BOM_REQUIRES_VALIDATION
    HOMEPAGE_SHOW_STOCK_DEPLETED HOMEPAGE_BUILD_STOCK_NEEDED SEARCH_REGEX SEARCH_WHOLE FORMS_CLOSE_USING_ESCAPE
    STICKY_HEADER HOMEPAGE_NEWS REPORT_INLINE SEARCH_HIDE_INACTIVE_PARTS SEARCH_PREVIEW_SHOW_CATEGORIES BARCODE_IN_FORM_FIELDS
    DISPLAY_ITEMS_FINAL_LEVEL ENABLE_LAST_BREADCRUMB ENABLE_PREVIEW_PANEL ICONS_IN_NAVBAR SEARCH_NOTES
    SEARCH_RESULTS_PREVIEW_PANEL SHOW_EXTRA_MODEL_INFO SHOW_FULL_CATEGORY_IN_TABLES SHOW_FULL_LOCATION_IN_TABLES
    STICKY_TABLE_HEADER`,
  other: {
    SEARCH_PREVIEW_RESULTS: ['integer', '10', '>=1'],
    DATE_DISPLAY_FORMAT: ['choice', 'YYYY-MM-DD'],
    LABEL_DEFAULT_PRINTER: ['choice', ''],
    TABLE_STRING_MAX_LENGTH: ['integer', '100', '>=0'],
    DEFAULT_PART_LABEL_TEMPLATE: ['integer', ''],
    DEFAULT_ITEM_LABEL_TEMPLATE: ['integer', ''],
    DEFAULT_LOCATION_LABEL_TEMPLATE: ['integer', ''],
    DEFAULT_LINE_LABEL_TEMPLATE: ['integer', ''],
    LAST_USED_PRINTING_MACHINES: ['string', ''],
    HOMEPAGE_HIDDEN_FIGURES: ['string', ''],
  },
}

/** Formats the limits of an integer and its unit as in the tables above. */
function formatLimits(setting: Setting): string | undefined {
  if (setting.type !== 'integer') return undefined
  const range =
    setting.min === undefined
      ? ''
      : setting.max === undefined || setting.max === 36_500
        ? `>=${setting.min}`
        : `${setting.min}-${setting.max}`
  return [range, setting.units].filter(Boolean).join(' ') || undefined
}

for (const [name, settings, reference] of [
  ['global', globalSettings, globalReference],
  ['user', userSettings, userReference],
] as [string, Settings, Reference][]) {
  test(`every ${name} setting has the type, default and limits that clients know`, () => {
    const expected: Record<string, unknown> = {}
    for (const key of reference.on.trim().split(/\s+/)) expected[key] = ['boolean', 'True', undefined]
    for (const key of reference.off.trim().split(/\s+/)) expected[key] = ['boolean', 'False', undefined]
    for (const [key, [type, initial, limits]] of Object.entries(reference.other)) expected[key] = [type, initial, limits]
    const actual = Object.entries(settings).map(([key, setting]) => [
      key,
      [setting.type, toStoredText(setting.default), formatLimits(setting)],
    ])
    assert.deepEqual(Object.fromEntries(actual), expected)
  })

  test(`the default of every ${name} setting is one of its choices`, () => {
    for (const [key, setting] of Object.entries(settings)) {
      const choices = getChoices(setting).map((choice) => choice.value)
      assert.ok(choices.length === 0 || choices.includes(toStoredText(setting.default)), key)
    }
  })
}

/** Settings of our own, unknown to existing clients. */
const OWN = new Set([
  'BARCODE_RESULTS_DAYS',
  'INVENTREE_BACKUP_HOUR',
  'DOCUMENT_ADDRESS',
  'DOCUMENT_CONTACT',
  'DOCUMENT_TAX_ID',
  'DOCUMENT_FOOTER',
  'DOCUMENT_LANGUAGE',
  'HOMEPAGE_HIDDEN_FIGURES',
])

test('every setting has the name that existing clients know', { skip: !existsSync(NAMES) }, () => {
  const [names, laterNames] = [NAMES, LATER_NAMES].map(
    (file): Record<string, Record<string, string>> => JSON.parse(readFileSync(file, 'utf8')),
  )
  for (const [kind, settings] of Object.entries({ global: globalSettings, user: userSettings }))
    for (const [key, setting] of Object.entries(settings).filter(([key]) => isServed(key) && !OWN.has(key)))
      assert.equal(setting.name, names?.[kind]?.[key] ?? laterNames?.[kind]?.[key] ?? setting.name, key)
})

test('there are 178 global and 69 user settings', () => {
  assert.equal(Object.keys(globalSettings).length, 178)
  assert.equal(Object.keys(userSettings).length, 69)
})

test('the definition of a known key is typed', () => {
  const initial: boolean = globalSetting('PART_ASSEMBLY').default
  const hits: number = userSetting('SEARCH_PREVIEW_RESULTS').default
  assert.deepEqual([initial, hits], [false, 10])
  // @ts-expect-error: there is no such setting
  assert.equal(globalSetting('PART_ASEMBLY'), undefined)
})

test('a key is found in any case; unknown and internal ones are not found', () => {
  assert.equal(findSetting(globalSettings, 'part_assembly')?.key, 'PART_ASSEMBLY')
  for (const key of ['NO_SUCH', '_PENDING_MIGRATIONS', '', 'toString', '__proto__', '1'])
    assert.equal(findSetting(globalSettings, key), undefined, key)
})

test('no description of a setting promises a future feature', () => {
  const promises = [globalSettings, userSettings].flatMap((settings) =>
    Object.entries(settings as Settings).filter(([, { description }]) => /\byet\b/i.test(description)),
  )
  assert.deepEqual(
    promises.map(([key]) => key),
    [],
  )
})
