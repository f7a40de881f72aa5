import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { type Action, action, type Request, type View, view } from '../../kit/definition/action.ts'
import * as input from '../../kit/definition/input.ts'
import { envelopeSchema } from '../../kit/definition/resource.ts'
import { buildPage, pageQuery } from '../../kit/http/page.ts'
import { type Access, requireAccess, signedIn, staff, superuser } from '../../kit/request/caller.ts'
import type { Services } from '../../kit/services/services.ts'
import { queryWithin, type RunQuery } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { listSettings, readSetting, writeSetting } from '../../settings/endpoints.ts'
import { type LiveSettings, readChoices } from '../../settings/live.ts'
import { findSetting } from '../../settings/registry.ts'
import { globalStore, type SettingStore, userStore } from '../../settings/store.ts'
import type { SettingContext } from '../../settings/value.ts'
import { recordSettingChange } from './record-setting-change.ts'

const text = Type.String()
const textOrNull = Type.Union([text, Type.Null()])
const describedString = (description: string) => Type.String({ description })

/** The response schema of one setting (docs/configuration.md#wire-form). */
export const settingSchema = ({ wire }: Pick<Config, 'wire'>) =>
  Type.Object({
    pk: Type.Integer({ description: 'The primary key.' }),
    key: describedString('The key of the setting, in upper case.'),
    value: wire.typedSettings
      ? Type.Union([text, Type.Boolean(), Type.Integer()], { description: 'Its value, of its type; an empty text for none.' })
      : describedString('Its value as a text: `True` or `False` for a boolean, digits for an integer; empty for none.'),
    name: describedString('The title.'),
    description: describedString('A short description.'),
    type: describedString('`boolean`, `integer`, `related field` for the key of an object, or `string`.'),
    units: describedString('The unit of an integer: `days`, `MB` or `ms`; empty for none.'),
    ...(wire.settingChoicesAsLists
      ? { choices: Type.Array(Type.Object({ value: text, display_name: text })), model_name: textOrNull, api_url: textOrNull }
      : {
          choices: describedString('The allowed values, as JSON text: a list of objects with `value` and `display_name`.'),
          model_name: describedString('The type of the referenced object; empty for none.'),
          api_url: describedString('The list of these objects; empty for none.'),
        }),
    typ: describedString('`inventree` for a global setting, `user` or `notification` for one of an account.'),
    user: Type.Optional(Type.Integer({ description: 'The account of the setting.' })),
    ...(wire.extendedFields && {
      read_only: Type.Optional(
        Type.Boolean({ description: 'Whether it cannot be changed: always false. Only settings of no account have it.' }),
      ),
      confirm: Type.Optional(Type.Boolean({ description: 'Whether clients ask before they change it: always false.' })),
      confirm_text: Type.Optional(describedString('The question that they ask: always empty.')),
    }),
  })

/** The field that settings of plugins and machines have for clients of API 530. */
export const modelFiltersSchema = {
  model_filters: Type.Optional(Type.Null({ description: 'Restrictions on the object that it may refer to: always none.' })),
}

/** Metadata of its fields in OPTIONS for clients of API 530. */
export const SETTING_METADATA = {
  key: { max_length: 50 },
  model_filters: { type: 'nested object' },
  value: { type: 'field', read_only: false, max_length: 2_000 },
  user: { type: 'field' },
  read_only: { type: 'field', label: 'Override' },
} as const

/** Query parameters of the lists of settings, for the OpenAPI document. */
export const listQuery = {
  ...pageQuery,
  ordering: '`pk`, `key` or `name`, or several separated by commas, each with a leading - for descending order; by default `pk`.',
  search: 'Words that the key must all contain, case-insensitive.',
}

const listContract = (config: Config) => ({
  response: envelopeSchema(settingSchema(config)),
  api530: { metadata: SETTING_METADATA },
  query: listQuery,
})

/** The body of a change: everything but the value is ignored. */
export const settingBody = {
  value: input.json({
    help: 'The value: a text, number or boolean that fits the type of the setting, at most 2,000 characters.',
  }),
}

/** Reasons for rejecting a value. */
export const settingErrorDocs = {
  invalid: 'The value has the wrong type, is outside its limits, or is not one of its choices.',
}

type WriteRequest = Request<typeof settingBody> & { tx: Tx }

type SettingGroup = {
  config: Config
  path: string
  groupName: string
  /** Description of the effect of a change. */
  effect: string
  /** Key of a setting, and an example value. */
  example: { key: string; value: string | number | boolean }
  store: (query: RunQuery, caller: number) => SettingStore
  access: { read: Access; write: Access }
  /** Whether each change is a security event. */
  isRecorded?: boolean
  /** Called after a change, in its transaction. */
  afterWrite?: (request: WriteRequest) => void
}

const readContext = async (
  query: RunQuery,
  { config, plugins }: Pick<Services, 'config' | 'plugins'>,
): Promise<SettingContext> => ({
  wire: config.wire,
  choices: await readChoices(query, plugins),
})

/** Actions that read and write one setting of a store. Settings cannot be created or deleted, and only `value` is written. */
function settingActions({
  config,
  path,
  groupName,
  effect,
  example,
  store,
  access,
  isRecorded,
  afterWrite,
}: SettingGroup): Action[] {
  const detail = {
    path: `${path}{key}/`,
    params: { key: 'The key of the setting, case-insensitive.' },
    response: settingSchema(config),
    api530: { metadata: SETTING_METADATA },
  }
  const params = { key: example.key }
  const write = (method: 'PUT' | 'PATCH') =>
    action({
      ...detail,
      method,
      summary: `Change one of the ${groupName}`,
      description: `Sets the value of one of the ${groupName}, and returns the setting. ${effect}`,
      errors: settingErrorDocs,
      example: { params, body: { value: example.value } },
      access: access.write,
      body: settingBody,
      async run(request) {
        const query = queryWithin(request.tx)
        const value = request.body.value === undefined ? undefined : JSON.parse(request.body.value)
        const context = await readContext(query, request)
        const { key = '' } = request.params
        // every part's name is rewritten with it
        if (key.toUpperCase() === 'PART_NAME_FORMAT') request.tx.lockExclusive()
        const settings = store(query, request.caller.pk)
        const entry = findSetting(settings.settings, key)
        if (entry?.setting.superuserOnly) requireAccess(superuser, request.caller, 'change')
        const before = isRecorded && entry ? await settings.row(entry.key) : undefined
        const after = await writeSetting(settings, key, method, { value }, context)
        if (before) await recordSettingChange(request, before, await settings.row(before.key), request.caller.pk)
        afterWrite?.(request)
        return after
      },
    })
  const read = action({
    ...detail,
    method: 'GET',
    summary: `Get one of the ${groupName}`,
    description: `Returns one of the ${groupName}, with its description and its allowed values.`,
    example: { params },
    access: access.read,
    async run(request) {
      const query = queryWithin(request.tx)
      return readSetting(store(query, request.caller.pk), request.params.key ?? '', await readContext(query, request))
    },
  })
  return [read, write('PUT'), write('PATCH')]
}

/**
 * Global settings. Staff may read and write them, except those that only a superuser can write; with `WIRE_FORM=inventree` any account may
 * read them, as its clients do.
 */
export function globalSettingActions({ config }: Pick<Services, 'config'>): (Action | View)[] {
  const path = '/api/settings/global/'
  const groupName = 'global settings'
  const effect =
    'It takes effect immediately, on all nodes. Only a superuser can change the few settings that control who gets an account and with which permissions. Each change creates a security event.'
  const example = { key: 'INVENTREE_COMPANY_NAME', value: 'Songbird Instruments' }
  const access = { read: config.wire.publicSettings ? signedIn : staff, write: staff }
  return [
    view({
      ...listContract(config),
      path,
      summary: `List the ${groupName}`,
      description:
        'The global settings, page by page, each with its description and its allowed values. Values are texts; booleans are `True` and `False`.',
      access: access.read,
      read: (request) => buildPage((request.settings as LiveSettings).list(request.query, request.config.wire), request),
    }),
    ...settingActions({
      config,
      path,
      groupName,
      effect,
      example,
      access,
      store: globalStore,
      isRecorded: true,
      afterWrite: ({ settings, tx }) => tx.after(() => settings.reload()),
    }),
  ]
}

/** The caller's own settings. */
export function userSettingActions({ config }: Pick<Services, 'config'>): (Action | View)[] {
  const path = '/api/settings/user/'
  const groupName = 'user settings'
  const effect = 'No other account can see or change it.'
  const example = { key: 'SEARCH_PREVIEW_RESULTS', value: 20 }
  return [
    action({
      ...listContract(config),
      method: 'GET',
      path,
      summary: `List the ${groupName}`,
      description:
        'The settings of the caller, page by page, each with its description and its allowed values. Values are texts; booleans are `True` and `False`.',
      access: signedIn,
      async run(request) {
        const query = queryWithin(request.tx)
        const all = await listSettings(userStore(query, request.caller.pk), request.query, await readContext(query, request))
        return buildPage(
          all.map((entry) => JSON.stringify(entry)),
          request,
        )
      },
    }),
    ...settingActions({
      config,
      path,
      groupName,
      effect,
      example,
      access: { read: signedIn, write: signedIn },
      store: userStore,
    }),
  ]
}
