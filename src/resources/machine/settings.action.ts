import { Type } from 'typebox'
import type { Config } from '../../config.ts'
import { action, type Request } from '../../kit/definition/action.ts'
import type { Shape } from '../../kit/definition/input.ts'
import { notFound } from '../../kit/request/problem.ts'
import type { Services } from '../../kit/services/services.ts'
import { queryWithin } from '../../kit/sql/run-query.ts'
import type { Tx } from '../../kit/sql/tx.ts'
import { toSettings as settingsOfDriver } from '../../plugin-host/plugin-settings.ts'
import type { Setting, Settings } from '../../settings/setting.ts'
import { machineStore, type SettingRow, type SettingStore } from '../../settings/store.ts'
import { type SettingContext, validateValue } from '../../settings/value.ts'
import { toWireSetting } from '../../settings/wire.ts'
import { recordSettingChange } from '../settings/record-change.ts'
import { modelFiltersSchema, settingBody, settingErrorDocs, settingSchema } from '../settings/settings.action.ts'
import { findDriver } from './drivers.ts'
import { machineParams, readRequestedMachine, UNKNOWN_MACHINE_ID } from './machine.action.ts'
import { machineConfig } from './machine.resource.ts'
import { machineTypes } from './machine-types.ts'
import { enqueueMachineStart, type MachineRow } from './run-machines.ts'

/** Origin of a setting: the type of the machine, or its driver. */
const SETTING_ORIGINS = ['M', 'D'] as const
type Kind = (typeof SETTING_ORIGINS)[number]

const SETTINGS = '/api/machine/{machine}/settings/'

type TransactionRequest = Request<Shape> & { tx: Tx }

const createSchema = (config: Config) => {
  const { units, user: _, ...common } = settingSchema(config).properties
  return Type.Object({
    ...common,
    typ: Type.String({ description: '`machine_config`.' }),
    required: Type.Boolean({ description: 'Whether the machine needs the setting in order to work.' }),
    config_type: Type.String({
      enum: [...SETTING_ORIGINS],
      description: '`M` for a setting of its type, `D` for one of its driver.',
    }),
    ...(config.wire.extendedFields && { units: Type.Optional(units), ...modelFiltersSchema }),
  })
}

function listSettings(request: TransactionRequest, machine: MachineRow, kind: Kind): Settings {
  if (kind === 'M') return machineTypes.find(({ slug }) => slug === machine.machine_type)?.settings ?? {}
  return settingsOfDriver(findDriver(request, machine)?.settings ?? NO_SETTINGS)
}

const NO_SETTINGS = {}

const openStore = (request: TransactionRequest, machine: MachineRow, kind: Kind): SettingStore =>
  machineStore(queryWithin(request.tx), listSettings(request, machine, kind), machine.pk, kind)

function formatSetting(row: SettingRow, kind: Kind, { settings, owner }: SettingStore, context: SettingContext) {
  const { units, ...setting } = toWireSetting(row, settings[row.key], owner, context)
  return {
    ...setting,
    required: false,
    config_type: kind,
    ...(context.wire.extendedFields && { units, model_filters: null }),
  }
}

/** The setting of a URL, and its store. @throws Problem 404 */
async function readSettingParams(
  request: TransactionRequest,
): Promise<{ machine: MachineRow; store: SettingStore; kind: Kind; key: string }> {
  const machine = await readRequestedMachine(request)
  const { config_type: rawValue, key = '' } = request.params
  const kind = SETTING_ORIGINS.find((settingEndpoint) => settingEndpoint === rawValue)
  if (!kind || !Object.hasOwn(listSettings(request, machine, kind), key)) throw notFound()
  return { machine, store: openStore(request, machine, kind), kind, key }
}

/**
 * Applies changed settings: reinitializes the machine in the background, or marks it for a restart if its driver has its own function for
 * initializing it.
 */
async function requireRestart(request: TransactionRequest, machine: MachineRow): Promise<void> {
  if (!findDriver(request, machine)?.hasInit) return enqueueMachineStart(request, request.tx, machine.pk)
  await request.tx.query('update machine_state set restart_required = true where machine = $1', [machine.pk])
}

/** Settings of machines: those of their types, and those of their drivers. */
export function createMachineSettingActions({ config }: Pick<Services, 'config'>) {
  const schema = createSchema(config)
  const { access } = machineConfig
  const settingEndpoint = {
    path: `${SETTINGS}{config_type}/{key}/`,
    access,
    params: {
      ...machineParams,
      config_type: '`M` for a setting of its type, `D` for one of its driver.',
      key: 'The key of the setting, case-sensitive.',
    },
    response: schema,
    example: { params: { machine: UNKNOWN_MACHINE_ID, config_type: 'M', key: 'LOCATION' }, status: 404 },
  }
  const createChangeAction = (method: 'PUT' | 'PATCH') =>
    action({
      ...settingEndpoint,
      method,
      summary: 'Change a setting of a machine',
      description: 'Sets the value of a setting of a machine, and returns the setting.',
      errors: { ...settingErrorDocs, not_found: 'The machine or the setting does not exist.' },
      example: { ...settingEndpoint.example, body: { value: 1 } },
      body: settingBody,
      async run(request) {
        const { machine, store, kind, key } = await readSettingParams(request)
        const { value } = request.body
        if (value === undefined && method === 'PATCH') return formatSetting(await store.row(key), kind, store, request.config)
        const rawValue = value === undefined ? undefined : JSON.parse(value)
        const text = validateValue(key, store.settings[key] as Setting, rawValue, config)
        const before = await store.row(key)
        const row = await store.save(key, text)
        await recordSettingChange(request, store.settings[key] as Setting, before, row, { machine: machine.name })
        if (kind === 'D') await requireRestart(request, machine)
        return formatSetting(row, kind, store, request.config)
      },
    })
  return [
    action({
      method: 'GET',
      path: SETTINGS,
      summary: 'List the settings of a machine',
      description: 'All settings of a machine as a plain list: those of its type, then those of its driver.',
      access,
      params: machineParams,
      example: { params: { machine: UNKNOWN_MACHINE_ID }, status: 404 },
      response: Type.Array(schema),
      async run(request) {
        const machine = await readRequestedMachine(request)
        const all = []
        for (const kind of SETTING_ORIGINS) {
          const store = openStore(request, machine, kind)
          const storedRows = (await store.all()).filter(({ key }) => Object.hasOwn(store.settings, key))
          all.push(...storedRows.map((row) => formatSetting(row, kind, store, request.config)))
        }
        return all
      },
    }),
    action({
      ...settingEndpoint,
      method: 'GET',
      summary: 'Get a setting of a machine',
      description: 'Returns a setting of a machine, with its description and its allowed values.',
      errors: { not_found: 'The machine or the setting does not exist.' },
      async run(request) {
        const { store, kind, key } = await readSettingParams(request)
        return formatSetting(await store.row(key), kind, store, request.config)
      },
    }),
    createChangeAction('PUT'),
    createChangeAction('PATCH'),
  ]
}
