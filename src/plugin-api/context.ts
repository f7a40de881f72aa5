import type { SettingDefinitions, SettingValue } from './settings.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The response to a request of a plugin. */
export type Answer = { status: number; body: any }

/**
 * The services that a plugin can use. Requests go through the same API as those of clients, with the permissions of the account that
 * caused the call: the account of the request; for schedules and events, the account that enabled the plugin. Requests for signing in
 * (including tokens and sign-in links), plugins and their actions get 403. While a plugin starts, only its settings, its log and
 * `fetchText` are available.
 */
export type Context<Settings extends SettingDefinitions = SettingDefinitions> = {
  /** The current settings of the plugin. */
  readonly settings: { get<Key extends keyof Settings & string>(key: Key): Promise<SettingValue<Settings[Key]>> }
  /**
   * The settings that the account of the call has for itself (`userSettings`): the account that caused the call, or the one that enabled
   * the plugin.
   */
  readonly userSettings: { get(key: string): Promise<boolean | number | string | null> }
  /** Writes to the log of the service, under the name of the plugin. */
  readonly log: Record<'info' | 'warn' | 'error', (message: string, details?: Json) => void>
  /** Reads a list or an object, such as `read('/api/part/', { category: 5 })`; in a hook inside a write, with its uncommitted changes. */
  read(path: string, query?: Readonly<Record<string, string | number | boolean>>): Promise<Answer>
  /** Sends a write or an action to the API. Not available in a hook inside a write. */
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Answer>
  /**
   * Fetches UTF-8 text from an http or https URL, such as one from a setting. Addresses of internal networks are rejected,
   * also as the target of a redirect, unless the operator allows them (`FETCH_ALLOWED_HOSTS`).
   * @param maxBytes 1,000,000 by default, 4,000,000 at most
   * @throws Error when the status is not 200, the body is longer or not UTF-8, or the response takes more than 8 seconds
   */
  fetchText(url: string, maxBytes?: number): Promise<string>
  /**
   * Enqueues one run of a `schedule` entry of the plugin in the background; an entry that is already enqueued is not added again.
   * Rejected while the setting ENABLE_PLUGINS_SCHEDULE is off, and in a hook inside a write.
   */
  runLater(name: string): Promise<void>
}
