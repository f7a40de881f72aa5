import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { type Action, action, type Request } from '../../kit/definition/action.ts'
import { readBoolean } from '../../kit/definition/filter.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { envelopeSchema } from '../../kit/definition/resource.ts'
import { buildPage } from '../../kit/http/page.ts'
import { staff } from '../../kit/request/caller.ts'
import { invalid, notFound, Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import { queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { queryErrors } from '../../kit/values/value-errors.ts'
import type { SettingDefinitions } from '../../plugin-api/index.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'
import { toSettings } from '../../plugin-host/plugin-settings.ts'
import { createComparator, listRows } from '../../settings/endpoints.ts'
import type { Setting } from '../../settings/setting.ts'
import { pluginStore, type SettingRow, type SettingStore } from '../../settings/store.ts'
import { toStoredText, validateValue } from '../../settings/value.ts'
import { toWireSetting } from '../../settings/wire.ts'
import { recordSettingChange } from '../settings/record-change.ts'
import {
  listQuery,
  modelFiltersSchema,
  SETTING_METADATA,
  settingBody,
  settingErrorDocs,
  settingSchema,
} from '../settings/settings.action.ts'
import { getRegistry } from './plugin-registry.ts'

const buildSchema = (config: Config) => {
  const { units, user: _, pk, ...common } = settingSchema(config).properties
  return Type.Object({
    // null to existing clients for a setting never stored (docs/configuration.md#wire-form)
    pk: config.wire.pluginSettingsWithoutKey ? Type.Union([pk, Type.Null()]) : pk,
    ...common,
    typ: Type.String({ description: '`plugin`.' }),
    required: Type.Boolean({
      description: 'Whether the plugin needs the setting in order to work. An empty value can be stored nevertheless.',
    }),
    plugin: Type.String({ description: 'The plugin.' }),
    ...(config.wire.extendedFields && { units: Type.Optional(units), ...modelFiltersSchema }),
  })
}

type TransactionRequest = Request<Shape> & { tx: Tx }

/** A plugin whose settings are requested. */
type Subject = { pk: number; key: string; definitions: SettingDefinitions; store: SettingStore }

type Row = { pk: number; key: string; active: boolean }

const toSubject = ({ tx, plugins }: TransactionRequest, { pk, key }: Row): Subject | undefined => {
  const definitions = getRegistry({ plugins }).manifest(key)?.settings
  if (!definitions) return undefined
  return { pk, key, definitions, store: pluginStore(queryWithin(tx), toSettings(definitions), pk) }
}

/**
 * Returns the plugin in the URL. A disabled one is included, so that it can be configured before it is enabled, except in the form of
 * existing clients.
 * @throws Problem 404 when it is not installed, or cannot be loaded
 */
async function readSubject(request: TransactionRequest): Promise<Subject> {
  const { plugin } = request.params
  const [column, value] = plugin === undefined ? ['pk', request.pk] : ['key', plugin]
  const row = await request.tx.first<Row>(`select pk, key, active from plugin_config where ${column} = $1`, [value])
  if (!row)
    throw plugin === undefined
      ? notFound()
      : new Problem('not_found', pluginErrors.plugin_not_installed({ plugin: plugin.slice(0, 255) }))
  if (!getRegistry(request).keys.includes(row.key))
    throw new Problem('not_found', pluginErrors.plugin_not_installed({ plugin: row.key }))
  if (request.config.wire.hidesInactivePluginSettings && !getRegistry(request).isRunning(row.key))
    throw new Problem('not_found', pluginErrors.plugin_not_active({ plugin: row.key }))
  const subject = toSubject(request, row)
  if (!subject) throw new Problem('not_found', pluginErrors.plugin_not_loadable({ plugin: row.key }))
  return subject
}

/** Returns the setting in the URL. @throws Problem 404 */
function requireSetting({ key, store }: Subject, name: string): Setting {
  const setting = Object.hasOwn(store.settings, name) ? store.settings[name] : undefined
  if (!setting) throw new Problem('not_found', pluginErrors.plugin_setting_unknown({ plugin: key, setting: name.slice(0, 100) }))
  return setting
}

function formatSetting(subject: Subject, row: Omit<SettingRow, 'pk'> & { pk: number | null }, config: Config) {
  const { store, definitions } = subject
  const { units, ...setting } = toWireSetting({ ...row, pk: row.pk ?? 0 }, store.settings[row.key], store.owner, config)
  return {
    ...setting,
    pk: row.pk,
    required: definitions[row.key]?.required ?? false,
    plugin: subject.key,
    ...(config.wire.extendedFields && { units, model_filters: null }),
  }
}

/** Reads the rows of a plugin's settings, in its own order. In the form of existing clients, settings never stored have no row. */
async function readRows(
  { tx, config }: TransactionRequest,
  { pk, store }: Subject,
): Promise<(Omit<SettingRow, 'pk'> & { pk: number | null })[]> {
  const rows = config.wire.pluginSettingsWithoutKey
    ? await tx.query<SettingRow>('select pk, key, value from plugin_setting where plugin = $1', [pk])
    : await store.all()
  const stored = new Map(rows.map((row) => [row.key, row]))
  return Object.entries(store.settings).map(
    ([key, setting]) => stored.get(key) ?? { pk: null, key, value: toStoredText(setting.default) },
  )
}

/** Returns the plugins whose settings a list includes. */
async function findListedPlugins(request: TransactionRequest): Promise<Subject[]> {
  const { plugin__key: key, plugin__active: rawValue = '' } = request.query
  const active = readBoolean(rawValue)
  if (rawValue !== '' && active === undefined && !request.config.wire.pluginSettingsWithoutKey)
    throw invalid({ plugin__active: [queryErrors.filter_boolean_expected] })
  const rows = await request.tx.query<Row>('select pk, key, active from plugin_config order by pk')
  const matchingRows = rows.filter(
    (row) => (key === undefined || row.key === key) && (active === undefined || row.active === active),
  )
  return matchingRows.flatMap((row) => toSubject(request, row) ?? [])
}

const pathParams = {
  key: 'The key of the setting, case-sensitive.',
  plugin: 'The plugin.',
}

/** Settings of plugins: a third store, next to those of the installation and of accounts. */
export function pluginSettingActions({ config }: Pick<Services, 'config'>): Action[] {
  const schema = buildSchema(config)
  const createSettingActions = (path: string, params: Record<string, string>, example: Record<string, string | number>) => {
    const detail = { path, params, response: schema, api530: { metadata: SETTING_METADATA }, access: staff }
    const write = (method: 'PUT' | 'PATCH') =>
      action({
        ...detail,
        method,
        summary: 'Change a setting of a plugin',
        description:
          'Sets the value of a setting of a plugin, enabled or not, and returns the setting. It takes effect at the next call of the plugin, on all nodes.',
        errors: { ...settingErrorDocs, not_found: 'The plugin is missing or cannot be loaded, or the setting does not exist.' },
        example: { params: example, body: { value: true } },
        body: settingBody,
        async run(request) {
          const subject = await readSubject(request)
          const { key = '' } = request.params
          const setting = requireSetting(subject, key)
          const rawValue = request.body.value === undefined ? undefined : JSON.parse(request.body.value)
          if (rawValue === undefined && method === 'PATCH')
            return formatSetting(subject, await subject.store.row(key), request.config)
          const before = await subject.store.row(key)
          const row = await subject.store.save(key, validateValue(key, setting, rawValue, request.config))
          await recordSettingChange(request, setting, before, row, { plugin: subject.key })
          request.tx.after(() => getRegistry(request).settings.invalidate())
          return formatSetting(subject, row, request.config)
        },
      })
    const read = action({
      ...detail,
      method: 'GET',
      summary: 'Get a setting of a plugin',
      description:
        'Returns a setting of a plugin, enabled or not, with its description and its allowed values. A secret value is `***`.',
      errors: { not_found: 'The plugin is missing or cannot be loaded, or the setting does not exist.' },
      example: { params: example },
      async run(request) {
        const subject = await readSubject(request)
        const { key = '' } = request.params
        requireSetting(subject, key)
        return formatSetting(subject, await subject.store.row(key), request.config)
      },
    })
    return [read, write('PUT'), write('PATCH')]
  }
  return [
    action({
      method: 'GET',
      path: '/api/plugins/settings/',
      summary: 'List the settings of plugins',
      description: 'The settings of all plugins that are present and can be loaded, enabled or not, page by page.',
      access: staff,
      response: envelopeSchema(schema),
      api530: { metadata: SETTING_METADATA },
      query: {
        ...listQuery,
        plugin__key: 'Settings of the plugin with this key.',
        plugin__active: 'Whether their plugin is enabled.',
      },
      async run(request) {
        const subjects = await findListedPlugins(request)
        const all: { pk: number; key: string; name: string; text: string }[] = []
        for (const subject of subjects) {
          const rows = (await readRows(request, subject)).filter((row): row is SettingRow => row.pk !== null)
          for (const entry of listRows(subject.store, rows, { search: request.query.search }, request.config)) {
            const row = rows.find(({ pk }) => pk === entry.pk) as SettingRow
            all.push({ ...entry, text: JSON.stringify(formatSetting(subject, row, request.config)) })
          }
        }
        const texts = all.sort(createComparator(request.query.ordering ?? '')).map(({ text }) => text)
        return buildPage(texts, request)
      },
    }),
    action({
      method: 'GET',
      path: '/api/plugins/{id}/settings/',
      summary: 'List the settings of a plugin',
      description: 'All settings of a plugin, enabled or not, as a plain list in the order that the plugin declares.',
      errors: { not_found: 'The plugin is missing or cannot be loaded.' },
      access: staff,
      response: Type.Array(schema),
      api530: { metadata: SETTING_METADATA },
      example: { params: { id: 4 } },
      async run(request) {
        const subject = await readSubject(request)
        return (await readRows(request, subject)).map((row) => formatSetting(subject, row, request.config))
      },
    }),
    ...createSettingActions('/api/plugins/{id}/settings/{key}/', { key: pathParams.key }, { id: 4, key: 'DEBUG' }),
    ...createSettingActions('/api/plugins/settings/{plugin}/{key}/', pathParams, { plugin: 'inventreelabel', key: 'DEBUG' }),
  ]
}
