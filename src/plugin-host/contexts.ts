import type { Caller } from '../kit/request/caller.ts'
import { type Download, FetchError } from '../kit/services/download.ts'
import type { Services } from '../kit/services/services.ts'
import { queryThrough } from '../kit/sql/run-query.ts'
import type { PluginRequest, SendPluginRequest } from './plugin-request.ts'
import { type PluginSettings, readPluginSetting, toSettings } from './plugin-settings.ts'
import type { ContextCalls } from './running.ts'
import type { CallContext, PluginOnNode } from './start-plugin.ts'

type Options = Pick<Services, 'log'> & {
  settings: PluginSettings
  sendPluginRequest: SendPluginRequest
  /** Returns the account of this primary key with its current permissions; undefined if it is deleted or inactive. */
  findAccount: (pk: number) => Promise<Caller | undefined>
  download: Download
  /** Runs an entry of a plugin's schedule once in the background. */
  runLater: (plugin: PluginOnNode, entry: string) => Promise<void>
}

/** Size limits of one fetch by a plugin, in bytes: the default and the maximum. */
const DEFAULT_FETCHED_BYTES = 1_000_000
const MAX_FETCHED_BYTES = 4_000_000
/** Time limit of such a fetch in milliseconds, shorter than the time limit of a plugin's call. */
const FETCH_TIMEOUT_MS = 8_000

/** Creates the context calls of a plugin. While it starts, they are its settings, its log and `fetchText`. */
export const createContextFactory =
  ({ settings, log, sendPluginRequest, findAccount, download, runLater }: Options) =>
  (plugin: PluginOnNode, callContext?: CallContext): ContextCalls => {
    const { key, manifest } = plugin
    const getRequestAccount = async (): Promise<Caller> => {
      const caller = callContext?.caller ?? (plugin.account === null ? undefined : await findAccount(plugin.account))
      if (caller) return caller
      throw new Error(
        'there is no account for its requests: this call has no caller, and the account that enabled the plugin is gone',
      )
    }
    const sendRequest = async (request: PluginRequest) => {
      if (!callContext) throw new Error('a plugin cannot send requests while it starts')
      return sendPluginRequest(await getRequestAccount(), request, callContext.reader)
    }
    const change = async (request: PluginRequest) => {
      if (callContext?.reader) throw new Error('a plugin cannot change anything during a write')
      return sendRequest(request)
    }
    const definitions = toSettings(manifest.settings)
    return {
      // inside a write, settings have its uncommitted values
      setting: (name) =>
        callContext?.reader
          ? readPluginSetting(queryThrough({ database: callContext.reader }), key, definitions, name)
          : settings.getValue(key, definitions, name),
      userSetting: async (name) =>
        settings.readUserValue(key, (await getRequestAccount()).pk, toSettings(manifest.userSettings), name, callContext?.reader),
      log: (level, message, details) => log[level]({ plugin: key, ...(details !== undefined && { details }) }, message),
      read: (path, query) => sendRequest({ method: 'GET', path, query }),
      send: (method, path, body) => change({ method, path, body }),
      async fetchText(url, maxBytes = DEFAULT_FETCHED_BYTES) {
        if (!(Number.isSafeInteger(maxBytes) && maxBytes > 0 && maxBytes <= MAX_FETCHED_BYTES))
          throw new Error(`maxBytes must be a whole number from 1 to ${MAX_FETCHED_BYTES}`)
        const body = await download(url, { limit: maxBytes, milliseconds: FETCH_TIMEOUT_MS }).catch((error) => {
          throw error instanceof FetchError ? new Error(`the address could not be fetched: ${error.message}`) : error
        })
        return new TextDecoder('utf-8', { fatal: true }).decode(body)
      },
      runLater: async (entry) => {
        if (!callContext) throw new Error('a plugin cannot schedule work while it starts')
        if (callContext.reader) throw new Error('a plugin cannot schedule work during a write')
        await runLater(plugin, entry)
      },
    }
  }
