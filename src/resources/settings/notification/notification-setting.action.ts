import { Type } from 'typebox'
import type { Config } from '../../../config.ts'
import { type Action, action, type View, view } from '../../../kit/definition/action.ts'
import { envelopeSchema } from '../../../kit/definition/resource.ts'
import { buildPage } from '../../../kit/http/page.ts'
import { signedIn } from '../../../kit/request/caller.ts'
import { notFound } from '../../../kit/request/problem.ts'
import type { Services } from '../../../kit/services/services.ts'
import type { Tx } from '../../../kit/sql/tx.ts'
import { listRows } from '../../../settings/endpoints.ts'
import { notificationSettings } from '../../../settings/notification.definitions.ts'
import { findSetting } from '../../../settings/registry.ts'
import { text } from '../../../settings/setting.ts'
import type { SettingRow } from '../../../settings/store.ts'
import { toStoredText, validateValue } from '../../../settings/value.ts'
import { toWireSetting, type WireSetting } from '../../../settings/wire.ts'
import { listQuery, settingBody, settingErrorDocs, settingSchema } from '../settings.action.ts'

const buildSchema = (config: Config) => {
  const { units: _, user: __, ...common } = settingSchema(config).properties
  return Type.Object({
    ...common,
    required: Type.Boolean({ description: 'Whether it requires a value.' }),
    method: Type.String({ description: 'The notification channel, such as `mail`.' }),
  })
}

const path = '/api/settings/notification/'

type Row = SettingRow & { method: string }

const COLUMNS = 'pk, key, value, method'
const ALL_ROWS_QUERY = `select ${COLUMNS} from notification_user_setting where "user" = $1 order by pk`
const ONE_ROW_QUERY = `select ${COLUMNS} from notification_user_setting where pk = $1 and "user" = $2`

const example = { params: { id: 1 } }

const owner = { typ: 'notification' } as const

/** Definition for settings of an imported system that do not exist here: any string. */
const UNKNOWN_SETTING = text('', '', '')

/** Wire form of a setting: with its notification method, without units, and always with the type `string`. */
function formatSetting({ units: _, ...setting }: WireSetting, method: string) {
  return { ...setting, type: 'string', required: false, method }
}

const findDefinition = ({ key }: Row) => findSetting(notificationSettings, key)?.setting

const formatRow = (row: Row, config: Config) => formatSetting(toWireSetting(row, findDefinition(row), owner, config), row.method)

/** The caller's own notification settings. Those of others do not exist for the caller, whatever their permissions. */
export function notificationSettingActions({ config }: Pick<Services, 'config'>): (Action | View)[] {
  const detail = { path: `${path}{id}/`, access: signedIn, response: buildSchema(config) }
  const write = (method: 'PUT' | 'PATCH') =>
    action({
      ...detail,
      method,
      summary: 'Change a notification setting of the caller',
      description: 'Sets the value of a notification setting of the caller, and returns the setting.',
      errors: settingErrorDocs,
      example: { ...example, body: { value: false } },
      body: settingBody,
      async run({ tx, caller, pk, body }) {
        const row = await tx.first<Row>(`${ONE_ROW_QUERY} for no key update`, [pk, caller.pk])
        if (!row) throw notFound()
        if (body.value === undefined && method === 'PATCH') return formatRow(row, config)
        const rawValue = body.value === undefined ? undefined : JSON.parse(body.value)
        const value = validateValue(row.key, findDefinition(row) ?? UNKNOWN_SETTING, rawValue, config)
        await tx.query('update notification_user_setting set value = $2 where pk = $1', [pk, value])
        return formatRow({ ...row, value }, config)
      },
    })
  return [
    action({
      method: 'GET',
      path,
      summary: 'List the notification settings of the caller',
      description: 'The notification settings of the caller, one for each channel, page by page.',
      access: signedIn,
      response: envelopeSchema(buildSchema(config)),
      query: listQuery,
      async run(request) {
        const rows = await readOrCreateRows(request.tx, request.caller.pk)
        const methods = new Map(rows.map(({ pk, method }) => [pk, method]))
        const matches = listRows({ settings: notificationSettings, owner }, rows, request.query, config)
        return buildPage(
          matches.map((setting) => JSON.stringify(formatSetting(setting, methods.get(setting.pk) ?? ''))),
          request,
        )
      },
    }),
    view({
      ...detail,
      summary: 'Get a notification setting of the caller',
      description: 'Returns a notification setting of the caller.',
      example,
      async read({ database, caller, pk }) {
        const [row] = await database.read<Row>({ text: ONE_ROW_QUERY, values: [pk, caller.pk] })
        if (!row) throw notFound()
        return formatRow(row, config)
      },
    }),
    write('PUT'),
    write('PATCH'),
  ]
}

/** Reads all settings of the caller: missing rows are created with their defaults, so that clients find their keys. */
async function readOrCreateRows(tx: Tx, user: number): Promise<Row[]> {
  const rows = await tx.query<Row>(ALL_ROWS_QUERY, [user])
  const missing = Object.entries(notificationSettings).filter(([key]) => !rows.some((row) => row.key === key))
  if (missing.length === 0) return rows
  for (const [key, setting] of missing)
    await tx.query(
      'insert into notification_user_setting ("user", method, key, value) values ($1, $2, $3, $4) on conflict do nothing',
      [user, setting.method, key, toStoredText(setting.default)],
    )
  return tx.query<Row>(ALL_ROWS_QUERY, [user])
}
