import { ok, page, type Row, type Scene, text } from './operations.ts'
import { GlobalSettings, NotificationUserSetting } from './resources.ts'
import type { Fixture } from './test-data.ts'

// The table "Settings".

/** A setting that accepts any text. */
const onGlobalSetting = async () => ({ path: { key: 'INVENTREE_COMPANY_NAME' }, body: { value: 'A company' } })

/** Creates a setting of another notification method, in addition to the one that every account has. */
async function onOwnSetting(fixture: Fixture) {
  const as = await fixture.account()
  await fixture.service.rows(
    `insert into notification_user_setting ("user", method, key, value) values ($1, 'pager', 'NOTIFICATION_METHOD_PAGER', 'True')`,
    [as.pk],
  )
  const { results } = (await fixture.service.anonymous.get('/api/settings/notification/', as.token)).body
  return { as, path: { id: results[0].pk as number }, body: { value: 'False' } }
}

/** Settings exist from the start, and are identified by their keys. */
const settings = (...keys: string[]) => {
  return async (): Promise<Scene> => ({ rows: Object.fromEntries(keys.map((key) => [key, key])) })
}

export const settingRows: Row[] = [
  {
    operation: 'GET /api/settings/global/',
    parameters: {
      search: text(() => [['STALE', 'STOCK_STALE_DAYS'], ['part_', 'PART_ASSEMBLY', 'PART_COPY_BOM'], ['nothing is called so']]),
    },
    ordering: ['key', 'pk'],
    key: 'key',
    answer: page(GlobalSettings),
    scene: settings('STOCK_STALE_DAYS', 'PART_ASSEMBLY', 'PART_COPY_BOM', 'INVENTREE_INSTANCE'),
    by: 'staff',
  },
  { operation: 'GET /api/settings/global/{key}/', answer: ok(GlobalSettings), by: 'staff', given: onGlobalSetting },
  {
    operation: 'PATCH, PUT /api/settings/global/{key}/',
    body: GlobalSettings,
    answer: ok(GlobalSettings),
    by: 'staff',
    given: onGlobalSetting,
  },
  {
    operation: 'GET /api/settings/notification/',
    parameters: { search: text(() => [['method_mail', 'NOTIFICATION_METHOD_MAIL'], ['nothing is called so']]) },
    ordering: ['key', 'pk'],
    key: 'key',
    answer: page(NotificationUserSetting),
    scene: settings('NOTIFICATION_METHOD_MAIL', 'NOTIFICATION_METHOD_PAGER'),
    by: 'account',
    given: onOwnSetting,
  },
  { operation: 'GET /api/settings/notification/{id}/', answer: ok(NotificationUserSetting), by: 'account', given: onOwnSetting },
  {
    operation: 'PATCH /api/settings/notification/{id}/',
    body: NotificationUserSetting,
    answer: ok(NotificationUserSetting),
    by: 'account',
    given: onOwnSetting,
  },
  {
    // accepted; the response is not specified, and is that of PATCH (decision 8)
    operation: 'PUT /api/settings/notification/{id}/',
    body: NotificationUserSetting,
    answer: ok(NotificationUserSetting),
    by: 'account',
    given: onOwnSetting,
  },
]
