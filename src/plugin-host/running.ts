import type { Answer, Json, Mixin, SettingDefinitions } from '../plugin-api/index.ts'

/** What is known of a plugin without running it: what it says of itself. Plain data, as it crosses to a process of its own. */
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
  mixins: readonly Mixin[]
  /** The names of its schedule with their minutes, of its actions, and of the events that it wants. */
  schedule: Readonly<Record<string, number>>
  actions: readonly string[]
  events: readonly string[] | undefined
  /** The drivers of machines that it brings, by slug. */
  machineDrivers: Readonly<Record<string, DriverManifest>>
  /** The functions it has of each mixin, such as `validation.part`. */
  hooks: readonly string[]
}

/** What a driver of machines says of itself. */
export type DriverManifest = {
  name: string
  description: string
  type: 'label-printer'
  labels: 'pdf' | 'pictures'
  settings: SettingDefinitions
}

/** What stands behind a plugin's context for one call: each of its functions, as the service carries it out. */
export type ContextCalls = {
  setting(key: string): Promise<unknown>
  log(level: 'info' | 'warn' | 'error', message: string, details?: Json): void
  read(path: string, query?: Readonly<Record<string, string | number | boolean>>): Promise<Answer>
  send(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: Json): Promise<Answer>
  fetchText(address: string, maxBytes?: number): Promise<string>
  runLater(name: string): Promise<void>
}

/** Why a plugin failed, in words for people, with the stage at which it did. */
export class PluginFailure extends Error {
  readonly stage: 'discovery' | 'load' | 'init' | 'call'
  /** `thrown`: it refused, or gave what it may not. `late`: it did not answer in time. `ended`: it does not run (any more). */
  readonly reason: 'thrown' | 'late' | 'ended'

  constructor(stage: PluginFailure['stage'], message: string, reason: PluginFailure['reason'] = 'thrown') {
    super(message)
    this.stage = stage
    this.reason = reason
  }
}

/** Where a plugin lies. Both are absolute paths. */
export type Place = {
  /** The file that has the plugin as its default export. */
  entry: string
  /** The folder that it lies in, with all that it imports: the only one that it may read. */
  folder: string
}

/** A plugin that runs, wherever it does: in the service (built in), or in a process of its own. */
export type Running = {
  readonly manifest: Manifest
  /**
   * Calls one of its functions, by its path (`validation.part`, `schedule.nightly.run`, `start`), and gives what it gives.
   * Arguments are what JSON can say, or objects of it that have bytes (Uint8Array) as properties of their own. The context is good
   * until the call ends; only its log goes on.
   * @throws PluginFailure when it throws, does not answer in time, or its process ends
   */
  call(hook: string, args: readonly unknown[], calls: ContextCalls, milliseconds: number): Promise<unknown>
  /** Ends it. Calls in progress fail. */
  stop(): Promise<void>
}

/**
 * Starts a plugin: loads its module, and gives it running. Its `start` is not yet called.
 * @param onEnd told once when it ends without having been stopped, after its calls in progress have failed
 * @throws PluginFailure when it does not load
 */
export type Runner = (place: Place, onEnd: (failure: PluginFailure) => void) => Promise<Running>

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : error
    return String(message)
  } catch {
    return ''
  }
}
