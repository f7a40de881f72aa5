import { Type } from 'typebox'
import { type Action, action, type Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { signedIn } from '../../kit/request/caller.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import { queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import type { SettingDefinitions } from '../../plugin-api/index.ts'
import { pluginErrors } from '../../plugin-host/plugin-errors.ts'
import { toSettings } from '../../plugin-host/plugin-settings.ts'
import { pluginUserStore, type SettingRow, type SettingStore } from '../../settings/store.ts'
import { validateValue } from '../../settings/value.ts'
import { toWireSetting } from '../../settings/wire.ts'
import {
  modelFiltersSchema,
  SETTING_METADATA,
  settingBody,
  settingErrorDocs,
  settingSchema,
} from '../settings/settings.action.ts'
import { getRegistry } from './plugin-registry.ts'

type TransactionRequest = Request<Shape> & { tx: Tx }

type Subject = { key: string; definitions: SettingDefinitions; store: SettingStore }

/** The settings of the caller in the plugin of the URL. @throws Problem 404 when it is not installed, or cannot be loaded */
async function readStore({ tx, plugins, caller, params }: TransactionRequest): Promise<Subject> {
  const { plugin = '' } = params
  const row = await tx.first<{ pk: number; key: string }>('select pk, key from plugin_config where key = $1 or pk::text = $1', [
    plugin,
  ])
  const definitions = row && getRegistry({ plugins }).manifest(row.key)?.userSettings
  if (!row || !definitions) throw new Problem('not_found', pluginErrors.plugin_not_installed({ plugin: plugin.slice(0, 255) }))
  return { key: row.key, definitions, store: pluginUserStore(queryWithin(tx), toSettings(definitions), row.pk, caller.pk) }
}

/** Settings that each account has for itself in a plugin (`userSettings`). They are the caller's own. */
export function pluginUserSettingActions({ config }: Pick<Services, 'config'>): Action[] {
  const { units, read_only: _, ...common } = settingSchema(config).properties
  const schema = Type.Object({
    ...common,
    user: Type.Integer({ description: 'The account of the caller.' }),
    typ: Type.String({ description: '`plugin`.' }),
    plugin: Type.String({ description: 'The plugin.' }),
    ...(config.wire.extendedFields && {
      units: Type.Optional(units),
      required: Type.Optional(Type.Boolean({ description: 'Whether the plugin needs the setting in order to work.' })),
      ...modelFiltersSchema,
    }),
  })
  const format = ({ key, definitions, store }: Subject, row: SettingRow, { config }: Pick<Services, 'config'>) => {
    const { units, ...setting } = toWireSetting(row, store.settings[row.key], store.owner, config)
    const required = definitions[row.key]?.required ?? false
    return { ...setting, plugin: key, ...(config.wire.extendedFields && { units, required, model_filters: null }) }
  }
  const readSubject = async (request: TransactionRequest) => {
    const subject = await readStore(request)
    const { key = '' } = request.params
    const setting = Object.hasOwn(subject.store.settings, key) ? subject.store.settings[key] : undefined
    if (!setting)
      throw new Problem('not_found', pluginErrors.plugin_setting_unknown({ plugin: subject.key, setting: key.slice(0, 100) }))
    return { subject, key, setting }
  }
  const plugin = 'The key of the plugin, or its primary key.'
  const detail = {
    path: '/api/plugins/{plugin}/user-settings/{key}/',
    params: { plugin, key: 'The key of the setting, case-sensitive.' },
    response: schema,
    api530: { metadata: SETTING_METADATA },
    access: signedIn,
  }
  const example = { params: { plugin: 'inventreebarcode', key: 'NONE' }, status: 404 }
  const write = (method: 'PUT' | 'PATCH') =>
    action({
      ...detail,
      method,
      summary: "Change the caller's setting of a plugin",
      description:
        'Sets the value that the caller has for itself in a plugin, and returns the setting. It takes effect immediately.',
      errors: { ...settingErrorDocs, not_found: 'The plugin is missing or cannot be loaded, or the setting does not exist.' },
      example: { ...example, body: { value: true } },
      body: settingBody,
      async run(request) {
        const { subject, key, setting } = await readSubject(request)
        const rawValue = request.body.value === undefined ? undefined : JSON.parse(request.body.value)
        if (rawValue === undefined && method === 'PATCH') return format(subject, await subject.store.row(key), request)
        return format(subject, await subject.store.save(key, validateValue(key, setting, rawValue, request.config)), request)
      },
    })
  return [
    action({
      method: 'GET',
      path: '/api/plugins/{plugin}/user-settings/',
      summary: "List the caller's settings of a plugin",
      description:
        'The settings that the caller has for itself in a plugin, as a plain list in the order that the plugin declares.',
      errors: { not_found: 'The plugin is missing or cannot be loaded.' },
      params: { plugin },
      response: Type.Array(schema),
      api530: { metadata: SETTING_METADATA },
      access: signedIn,
      example: { params: { plugin: 'inventreebarcode' } },
      async run(request) {
        const subject = await readStore(request)
        const stored = new Map((await subject.store.all()).map((row) => [row.key, row]))
        return Object.keys(subject.store.settings).flatMap((key) => {
          const row = stored.get(key)
          return row ? [format(subject, row, request)] : []
        })
      },
    }),
    action({
      ...detail,
      method: 'GET',
      summary: "Get the caller's setting of a plugin",
      description: 'Returns a setting that the caller has for itself in a plugin. A secret value is `***`.',
      errors: { not_found: 'The plugin is missing or cannot be loaded, or the setting does not exist.' },
      example,
      async run(request) {
        const { subject, key } = await readSubject(request)
        return format(subject, await subject.store.row(key), request)
      },
    }),
    write('PUT'),
    write('PATCH'),
  ]
}
