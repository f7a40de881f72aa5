import type { Logger } from 'pino'
import type { Database } from '../kit/sql/tx.ts'
import { ReasonedError } from '../kit/values/message.ts'
import { type DiscoveredPlugin, isPluginPresent, readModuleState } from './discover.ts'
import type { Failures } from './failures.ts'
import { pluginErrors } from './plugin-errors.ts'
import type { PluginProblems } from './problems.ts'
import { type PluginRow, storeActive } from './rows.ts'
import { type Manifest, PluginFailure, type PluginPaths } from './running.ts'
import {
  type Active,
  endPlugin,
  getRunner,
  type PluginOnNode,
  requireSlug,
  type StartOptions,
  startPlugin,
  tryPlugin,
} from './start-plugin.ts'

export type StarterOptions = StartOptions & {
  database: Database
  failures: Failures
  problems: PluginProblems
  log: Logger
  /** Called when a plugin ends by itself after its start. */
  onEnd: (plugin: Active, failure: PluginFailure) => void
}

/** A human-readable reason why a plugin cannot be enabled or disabled. */
export class SwitchError extends ReasonedError {}

/** The failure of a plugin that was removed after its discovery. */
export const createModuleMissingFailure = () => new PluginFailure('discovery', 'its module is missing')

/** Starts and stops plugins, one or many at the same time, and stores their manifests. The registry decides which of them are used. */
export class PluginStarter {
  readonly #options: StarterOptions
  /** The manifests of the plugins discovered here. */
  readonly #manifests = new Map<string, Manifest>()
  /** The module states of plugins whose manifest was loaded, and that have not run since. */
  readonly #loadedStates = new Map<string, string>()

  constructor(options: StarterOptions) {
    this.#options = options
  }

  /** The manifests of plugins, by key. */
  get manifests(): ReadonlyMap<string, Manifest> {
    return this.#manifests
  }

  /**
   * Loads the manifest of a plugin that does not run: the plugin is loaded briefly, and not started. It is loaded again after a change of
   * its module.
   */
  async loadManifest(discovered: DiscoveredPlugin): Promise<void> {
    const state = await readModuleState(discovered)
    if (state === undefined || state === this.#loadedStates.get(discovered.key)) return
    try {
      const running = await getRunner(discovered, this.#options.runners)(discovered.paths, () => {})
      await running.stop()
      requireSlug(running.manifest, discovered)
      this.#manifests.set(discovered.key, running.manifest)
      this.#loadedStates.set(discovered.key, state)
    } catch (error) {
      if (await isPluginPresent(discovered)) this.#options.problems.report(error, discovered.key)
    }
  }

  /** @throws PluginFailure if it cannot be started */
  async start(discovered: DiscoveredPlugin, account: number | null): Promise<Active> {
    const plugin = await startPlugin(discovered, account, this.#options, this.#options.onEnd)
    this.#manifests.set(discovered.key, plugin.manifest)
    // its manifest is loaded again once it is disabled, whatever its module was
    this.#loadedStates.delete(discovered.key)
    return plugin
  }

  /** Starts the plugins of these rows concurrently. One that fails twice is disabled. */
  async startAvailable(
    rows: readonly PluginRow[],
    discovered: ReadonlyMap<string, DiscoveredPlugin>,
  ): Promise<ReadonlyMap<string, Active>> {
    const started = await Promise.all(rows.map((row) => this.#startOrDisable(row, discovered.get(row.key) as DiscoveredPlugin)))
    return new Map(started.flatMap((plugin) => (plugin ? [[plugin.key, plugin] as const] : [])))
  }

  async #startOrDisable({ key, activated_by }: PluginRow, discovered: DiscoveredPlugin): Promise<Active | undefined> {
    const { failures, problems } = this.#options
    for (;;) {
      try {
        return await this.start(discovered, activated_by)
      } catch (error) {
        // the removal of a plugin from this node does not disable it on other nodes
        if (!(await isPluginPresent(discovered))) {
          problems.report(createModuleMissingFailure(), key)
          return undefined
        }
        problems.report(error, key)
        if (!failures.recordCrash(key)) continue
        await this.disable(key)
        return undefined
      }
    }
  }

  /**
   * Starts plugins that are to be enabled, all or none.
   * @throws SwitchError if one of them is missing or cannot be started
   */
  async startAll(keys: readonly string[], discovered: ReadonlyMap<string, DiscoveredPlugin>, account: number): Promise<Active[]> {
    const results = await Promise.allSettled(
      keys.map(async (key) => {
        const target = discovered.get(key)
        if (!target) throw new SwitchError(pluginErrors.plugin_missing({ plugin: key }))
        try {
          return await this.start(target, account)
        } catch (error) {
          this.#options.problems.report(error, key)
          throw new SwitchError(pluginErrors.plugin_cannot_start({ plugin: key, reason: (error as Error).message }))
        }
      }),
    )
    const started = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failed = results.find((result) => result.status === 'rejected')
    if (!failed) return started
    await this.end(started)
    throw failed.reason
  }

  /** Tries a plugin that is to be installed. Running plugins are not affected. @throws PluginFailure */
  tryOut(target: PluginPaths, findRunning: (key: string) => PluginOnNode | undefined): Promise<string> {
    return tryPlugin(target, this.#options, findRunning)
  }

  /** Stops plugins. One that cannot be stopped delays no other. */
  async end(plugins: readonly Active[]): Promise<void> {
    const ended = await Promise.allSettled(plugins.map(endPlugin))
    for (const { reason } of ended.filter((result) => result.status === 'rejected'))
      this.#options.log.error({ err: reason }, 'could not stop a plugin')
  }

  /** Disables a failed plugin on all nodes. */
  async disable(key: string): Promise<void> {
    try {
      await this.#options.database.transaction((tx) => storeActive(tx, [key], false, null))
    } catch (error) {
      this.#options.log.error({ err: error, plugin: key }, 'could not disable a failed plugin')
    }
  }
}
