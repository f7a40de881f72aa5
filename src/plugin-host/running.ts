import type { Answer, Json, Mixin, SettingDefinitions } from '../plugin-api/index.ts'

/** The description that a plugin gives of itself, available without running it. Plain data, since it is sent from a separate process. */
export type Manifest = {
  slug: string
  name: string
  title: string
  version: string
  description: string
  author: string
  website: string | null
  license: string | null
  published: string
  minVersion?: string
  maxVersion?: string
  settings: SettingDefinitions
  /** Settings that each account has for itself. */
  userSettings: SettingDefinitions
  mixins: readonly Mixin[]
  /** The entries of its schedule with their intervals in minutes, the names of its actions, and the events that it subscribes to. */
  schedule: Readonly<Record<string, number>>
  actions: readonly string[]
  events: readonly string[] | undefined
  /** Its machine drivers, by slug. */
  machineDrivers: Readonly<Record<string, DriverManifest>>
  /** Its functions of each mixin, such as `validation.part`. */
  hooks: readonly string[]
}

/** The description of a machine driver. */
export type DriverManifest = {
  name: string
  description: string
  type: 'label-printer'
  labels: 'pdf' | 'pictures'
  settings: SettingDefinitions
}

/** The implementation of a plugin's context for one call, by the service. */
export type ContextCalls = {
  setting(key: string): Promise<unknown>
  userSetting(key: string): Promise<unknown>
  log(level: 'info' | 'warn' | 'error', message: string, details?: Json): void
  read(path: string, query?: Readonly<Record<string, string | number | boolean>>): Promise<Answer>
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Answer>
  fetchText(url: string, maxBytes?: number): Promise<string>
  runLater(name: string): Promise<void>
}

/** The failure of a plugin, with a human-readable reason and its stage. */
export class PluginFailure extends Error {
  readonly stage: 'discovery' | 'load' | 'init' | 'call'
  /** `thrown`: it rejected the call, or returned an invalid value. `late`: it did not respond in time. `ended`: it does not run (any more). */
  readonly reason: 'thrown' | 'late' | 'ended'

  constructor(stage: PluginFailure['stage'], message: string, reason: PluginFailure['reason'] = 'thrown') {
    super(message)
    this.stage = stage
    this.reason = reason
  }
}

/** The files of a plugin. Both paths are absolute. */
export type PluginPaths = {
  /** The file with the plugin as its default export. */
  entry: string
  /** The folder with the file and all its imports: the only one that it can read. */
  folder: string
}

/** A running plugin: in the service (built in), or in a process of its own. */
export type RunningPlugin = {
  readonly manifest: Manifest
  /**
   * Calls one of its functions, by its path (`validation.part`, `schedule.nightly.run`, `start`), and returns the result. Arguments are
   * JSON values, or objects of JSON values that have bytes (Uint8Array) as own properties. The context is valid until the call ends; only
   * its log works after that.
   * @throws PluginFailure if it throws, does not respond in time, or its process ends
   */
  call(hook: string, args: readonly unknown[], calls: ContextCalls, milliseconds: number): Promise<unknown>
  /** Stops it. Calls in progress fail. */
  stop(): Promise<void>
}

/**
 * Starts a plugin: loads its module, and returns the running plugin. Its `start` is not called yet.
 * @param onEnd called once if it ends without being stopped, after its calls in progress have failed
 * @throws PluginFailure if it does not load
 */
export type Runner = (paths: PluginPaths, onEnd: (failure: PluginFailure) => void) => Promise<RunningPlugin>

/** The message of any thrown value. */
export function getErrorMessage(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : error
    return String(message)
  } catch {
    return ''
  }
}
