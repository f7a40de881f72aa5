/**
 * What a plugin is written against. It imports nothing else of the service: built-in plugins, plugins in a folder and installed
 * packages all import this, and nothing more. (`docs/plugins.md` has a worked example.)
 */
export * from './barcode/index.ts'
export * from './context.ts'
export * from './hooks.ts'
export * from './machines.ts'
export * from './settings.ts'

import type { Hooks } from './hooks.ts'
import type { SettingDefinitions } from './settings.ts'

/** A plugin: what it is called, its settings, and what it takes part in. Each mixin is a property; what is absent it does not do. */
export type Plugin<Settings extends SettingDefinitions = SettingDefinitions> = Hooks<Settings> & {
  /** Its key, by which clients name it: lower-case letters, digits and dashes, 100 at most. It never changes. */
  slug: string
  /** Its name, as `DigiKeyPlugin`. */
  name: string
  /** Its name for people; without one, `name`. */
  title?: string
  /** Semantic version. */
  version: string
  description?: string
  author?: string
  website?: string
  license?: string
  /** The day on which this version was published, `YYYY-MM-DD`. */
  published?: string
  /** The versions of the service that it works with, both included. */
  minVersion?: string
  maxVersion?: string
  /** Its settings by key, in capitals. */
  settings?: Settings
}

/** Defines a plugin. The module of a plugin has it as its default export. */
export const definePlugin = <const Settings extends SettingDefinitions>(plugin: Plugin<Settings>): Plugin<Settings> => plugin
