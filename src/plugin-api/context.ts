import type { SettingDefinitions, SettingValue } from './settings.ts'

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The answer to a request that a plugin made. */
export type Answer = { status: number; body: any }

/**
 * What a plugin may use of the service. Everything goes through the doors that every client uses, with the rights of whoever caused
 * the call: the account of the request; for schedules and events, the account that switched the plugin on. What is about signing in
 * (also tokens and links that let in), plugins themselves and their actions is answered with 403. While a plugin starts, it has its
 * settings, its log and `fetchText`.
 */
export type Context<Settings extends SettingDefinitions = SettingDefinitions> = {
  /** The settings of the plugin as they are now. */
  readonly settings: { get<Key extends keyof Settings & string>(key: Key): Promise<SettingValue<Settings[Key]>> }
  /** Lines for the log of the service, under the name of the plugin. */
  readonly log: Record<'info' | 'warn' | 'error', (message: string, details?: Json) => void>
  /** Reads a list or an object, such as `read('/api/part/', { category: 5 })`. In a hook inside a write, as that write sees it. */
  read(path: string, query?: Readonly<Record<string, string | number | boolean>>): Promise<Answer>
  /** Changes something: an action or a write of the interface. Not in a hook inside a write. */
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Answer>
  /**
   * Fetches the text (UTF-8) at an http or https address, such as one that a setting names. Addresses of internal networks are rejected,
   * also as the target of a redirect, unless the operator allows them (`FETCH_ALLOWED_HOSTS`).
   * @param maxBytes 1,000,000 by default, 4,000,000 at most
   * @throws Error when the status is not 200, the body is longer or no UTF-8, or the response takes more than 8 seconds
   */
  fetchText(address: string, maxBytes?: number): Promise<string>
  /**
   * Has one of the plugin's own `schedule` entries run once in the background, a moment from now; one that waits already is not
   * added again. Refused while the setting ENABLE_PLUGINS_SCHEDULE is off, and in a hook inside a write.
   */
  runLater(name: string): Promise<void>
}
