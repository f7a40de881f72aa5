import { readdir } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import { createDownload } from '../../kit/services/download.ts'
import { openFiles } from '../../kit/services/open-files.ts'
import { Database } from '../../kit/sql/tx.ts'
import { getPluginsFolder } from '../../plugin-host/discover.ts'
import { isBuiltIn } from '../../plugins/index.ts'
import { BuiltInTemplateFiles } from '../../printing/built-in-files.ts'
import { globalSettings, isServed, userSettings } from '../../settings/registry.ts'
import type { Settings } from '../../settings/setting.ts'
import { getApiVersion } from '../../version.ts'
import { Dump } from '../reading/dump.ts'
import { Problems } from '../report.ts'
import { findTemplateProblems, type TemplateProblem } from '../template-problems.ts'
import { type ClientVerdict, judgeClients } from './clients.ts'

/** A plugin of the imported system that this service does not have, and whether it was active there, if the dump is given. */
export type MissingPlugin = { key: string; name: string; wasActive?: boolean; instead?: string }

/** A setting that changes nothing in this service: one that only clients read, or one that it does not know. */
export type IneffectiveSetting = { key: string; value: string; reason: 'clients' | 'unknown'; accounts?: number }

/** A token of the imported system. */
export type FormerToken = { user: string; name: string }

/** What changes for clients, plugins, tokens and templates of an instance. */
export type InstanceReport = {
  announcedApi: number
  responseForm: 'specification' | 'inventree'
  clients: ClientVerdict[]
  plugins: MissingPlugin[]
  /** Of the dump; undefined without one. */
  tokens: FormerToken[] | undefined
  /** Accounts that had a second factor; undefined without a dump. */
  secondFactors: string[] | undefined
  templates: TemplateProblem[]
  settings: IneffectiveSetting[]
}

/** Plugins that come with InvenTree, whose work is done by something else here. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  'inventree-ui-notification': 'notifications are shown without a plugin',
  'inventree-email-notification': 'notifications are mailed without a plugin, once SMTP_URL is set',
  'inventree-machines': 'machines need no plugin',
  partnotificationsplugin: 'subscribers are notified without a plugin',
}

type Source = { pool: Pool; config: Config; log: Logger; paths: ReadonlySet<string> }

/**
 * Reads what changes for the clients, plugins, tokens and templates of an instance.
 * @param source.paths the paths of the service's operations, with {} for each parameter
 * @param file the dump that was imported, for what the database does not have
 * @throws OperatorError when the dump cannot be read
 */
export async function inspectInstance({ pool, config, log, paths }: Source, file?: string): Promise<InstanceReport> {
  const former = file === undefined ? undefined : await readFormer(file)
  const files = openFiles(config, log)
  const download = createDownload({ allowedHosts: config.fetchAllowedHosts })
  const services = { database: new Database(pool), files: new BuiltInTemplateFiles(files), config, log, download }
  const announcedApi = getApiVersion(config.wire)
  return {
    announcedApi,
    responseForm: config.wire.namesInvenTree ? 'inventree' : 'specification',
    clients: judgeClients(announcedApi, paths),
    plugins: await listMissingPlugins(pool, config, former?.activePlugins),
    tokens: former?.tokens,
    secondFactors: former?.secondFactors,
    templates: await findTemplateProblems(services),
    settings: await listIneffectiveSettings(pool),
  }
}

async function listMissingPlugins(
  pool: Pool,
  { dataDir }: Config,
  active: ReadonlySet<string> | undefined,
): Promise<MissingPlugin[]> {
  const { rows } = await pool.query<{ key: string; name: string | null }>(
    `select key, name from plugin_config config
     where not exists (select from plugin_package package where package.key = config.key) order by key`,
  )
  const folders = new Set(await readdir(getPluginsFolder(dataDir)).catch(() => []))
  return rows
    .filter(({ key }) => !isBuiltIn(key) && !folders.has(key))
    .map(({ key, name }) => ({
      key,
      name: name ?? key,
      ...(active === undefined ? {} : { wasActive: active.has(key) }),
      ...(REPLACEMENTS[key] === undefined ? {} : { instead: REPLACEMENTS[key] }),
    }))
}

async function listIneffectiveSettings(pool: Pool): Promise<IneffectiveSetting[]> {
  const global = await pool.query<{ key: string; value: string }>('select key, value from setting order by key')
  const own = await pool.query<{ key: string; value: string; accounts: number }>(
    'select key, min(value) as value, count(*)::integer as accounts from user_setting group by key order by key',
  )
  return [
    ...global.rows.flatMap((row) => explainSetting(globalSettings, row)),
    ...own.rows.flatMap(({ accounts, ...row }) => explainSetting(userSettings, row).map((found) => ({ ...found, accounts }))),
  ]
}

/** Returns a setting that differs from its default and has no effect here. */
function explainSetting(settings: Settings, { key, value }: { key: string; value: string }): IneffectiveSetting[] {
  if (!isServed(key)) return []
  const setting = Object.hasOwn(settings, key) ? settings[key] : undefined
  if (!setting) return [{ key, value, reason: 'unknown' }]
  const isDefault = value.toLowerCase() === String(setting.default).toLowerCase()
  return setting.usedBy === 'clients' && !isDefault
    ? [{ key, value: setting.confidential ? '***' : value, reason: 'clients' }]
    : []
}

type Former = { tokens: FormerToken[]; secondFactors: string[]; activePlugins: Set<string> }

/** Reads from a dump what an import leaves out. */
async function readFormer(file: string): Promise<Former> {
  const [tokenModel, pluginModel] = ['users.apitoken', 'plugin.pluginconfig']
  const dump = await Dump.open(file, [{ model: tokenModel }, { model: pluginModel }, { model: 'auth.user' }], new Problems())
  try {
    const users = new Map<unknown, string>()
    for await (const records of dump.records('auth.user'))
      for (const { pk, fields } of records) users.set(pk, String(fields.username))
    const tokens: FormerToken[] = []
    for await (const records of dump.records(tokenModel))
      for (const { fields } of records) {
        const { user, name, revoked } = fields
        const username = Array.isArray(user) ? String(user[0]) : (users.get(user) ?? String(user))
        if (revoked !== true) tokens.push({ user: username, name: String(name ?? '') })
      }
    const activePlugins = new Set<string>()
    for await (const records of dump.records(pluginModel))
      for (const { fields } of records) if (fields.active === true) activePlugins.add(String(fields.key))
    return { tokens, secondFactors: dump.relations.listSecondFactors(), activePlugins }
  } finally {
    await dump.close()
  }
}
