import { ok, page, type Row, type TestData, text } from './operations.ts'
import { GlobalSettings, NotificationUserSetting } from './resources.ts'
import type { Fixture } from './test-data.ts'

// The table "Settings".

/** Returns a setting that accepts any string. */
const prepareGlobalSetting = async () => ({ path: { key: 'INVENTREE_COMPANY_NAME' }, body: { value: 'A company' } })

/** Creates a setting of another notification method, in addition to the one that every account has. */
async function createOwnSetting(fixture: Fixture) {
  const as = await fixture.createAccount()
  await fixture.service.rows(
    `insert into notification_user_setting ("user", method, key, value) values ($1, 'pager', 'NOTIFICATION_METHOD_PAGER', 'True')`,
    [as.pk],
  )
  const { results } = (await fixture.service.anonymous.get('/api/settings/notification/', as.token)).body
  return { as, path: { id: results[0].pk as number }, body: { value: 'False' } }
}

/** Names settings by their keys: they exist from the start. */
const nameSettings = (...keys: string[]) => {
  return async (): Promise<TestData> => ({ rows: Object.fromEntries(keys.map((key) => [key, key])) })
}

export const settingRows: Row[] = [
  {
    operation: 'GET /api/settings/global/',
    parameters: {
      search: text(() => [['STALE', 'STOCK_STALE_DAYS'], ['part_', 'PART_ASSEMBLY', 'PART_COPY_BOM'], ['nothing is called so']]),
    },
    ordering: ['key', 'pk'],
    key: 'key',
    response: page(GlobalSettings),
    testData: nameSettings('STOCK_STALE_DAYS', 'PART_ASSEMBLY', 'PART_COPY_BOM', 'INVENTREE_INSTANCE'),
    caller: 'staff',
  },
  { operation: 'GET /api/settings/global/{key}/', response: ok(GlobalSettings), caller: 'staff', setup: prepareGlobalSetting },
  {
    operation: 'PATCH, PUT /api/settings/global/{key}/',
    body: GlobalSettings,
    response: ok(GlobalSettings),
    caller: 'staff',
    setup: prepareGlobalSetting,
  },
  {
    operation: 'GET /api/settings/notification/',
    parameters: { search: text(() => [['method_mail', 'NOTIFICATION_METHOD_MAIL'], ['nothing is called so']]) },
    ordering: ['key', 'pk'],
    key: 'key',
    response: page(NotificationUserSetting),
    testData: nameSettings('NOTIFICATION_METHOD_MAIL', 'NOTIFICATION_METHOD_PAGER'),
    caller: 'account',
    setup: createOwnSetting,
  },
  {
    operation: 'GET /api/settings/notification/{id}/',
    response: ok(NotificationUserSetting),
    caller: 'account',
    setup: createOwnSetting,
  },
  {
    operation: 'PATCH /api/settings/notification/{id}/',
    body: NotificationUserSetting,
    response: ok(NotificationUserSetting),
    caller: 'account',
    setup: createOwnSetting,
  },
  {
    // accepted; the response is not specified, and is that of PATCH (docs/decisions.md#responses-of-writes)
    operation: 'PUT /api/settings/notification/{id}/',
    body: NotificationUserSetting,
    response: ok(NotificationUserSetting),
    caller: 'account',
    setup: createOwnSetting,
  },
]
