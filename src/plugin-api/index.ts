/**
 * The API of plugins. It imports nothing else of the service, and built-in plugins, plugins in a folder and installed packages import
 * only this. (`docs/guides/plugins.md` has an example.)
 */
export * from './barcode/index.ts'
export * from './context.ts'
export * from './hooks.ts'
export * from './machines.ts'
export * from './settings.ts'

import type { Hooks } from './hooks.ts'
import type { SettingDefinitions } from './settings.ts'

/** A plugin: its metadata, its settings and its features. Each feature is an optional property. */
export type Plugin<Settings extends SettingDefinitions = SettingDefinitions> = Hooks<Settings> & {
  /** Its key for clients: lower-case letters, digits and dashes, at most 100. It must never change. */
  slug: string
  /** Its name, such as `DigiKeyPlugin`. */
  name: string
  /** Its display name; by default `name`. */
  title?: string
  /** Semantic version. */
  version: string
  description?: string
  author?: string
  website?: string
  license?: string
  /** The publication date of this version, `YYYY-MM-DD`. */
  published?: string
  /** The minimum and maximum supported version of the service. */
  minVersion?: string
  maxVersion?: string
  /** Its settings by key, in upper case. */
  settings?: Settings
  /** Settings that each account has for itself, by key, in upper case. */
  userSettings?: SettingDefinitions
}

/** Defines a plugin. Use it as the default export of the module of a plugin. */
export const definePlugin = <const Settings extends SettingDefinitions>(plugin: Plugin<Settings>): Plugin<Settings> => plugin
