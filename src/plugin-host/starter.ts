import type { Logger } from 'pino'
import type { Database } from '../kit/sql/tx.ts'
import { ReasonedError } from '../kit/values/message.ts'
import { type Found, lies, stateOf } from './discover.ts'
import type { Failures } from './failures.ts'
import { pluginErrors } from './plugin-errors.ts'
import type { PluginProblems } from './problems.ts'
import { type PluginRow, storeActive } from './rows.ts'
import { type Manifest, type Place, PluginFailure } from './running.ts'
import {
  type Active,
  endPlugin,
  type PluginOnNode,
  requireSlug,
  runnerOf,
  type Starting,
  startPlugin,
  tryPlugin,
} from './start-plugin.ts'

export type StarterOptions = Starting & {
  database: Database
  failures: Failures
  problems: PluginProblems
  log: Logger
  /** Told when a plugin ends by itself once it has started. */
  onEnd: (plugin: Active, failure: PluginFailure) => void
}

/** The refusal to switch a plugin on or off, in words for people. */
export class CannotSwitch extends ReasonedError {}

/** What is wrong with a plugin that was taken away after it was found. */
export const moduleIsGone = () => new PluginFailure('discovery', 'its module is missing')

/** Starts and ends plugins, one or many at once, and knows what they say of themselves. Which of them count is the registry's. */
export class PluginStarter {
  readonly #options: StarterOptions
  /** What plugins say of themselves that were found here. */
  readonly #manifests = new Map<string, Manifest>()
  /** What the modules were of those that were learned, and have not run since. */
  readonly #learned = new Map<string, string>()

  constructor(options: StarterOptions) {
    this.#options = options
  }

  /** What plugins say of themselves, by key. */
  get manifests(): ReadonlyMap<string, Manifest> {
    return this.#manifests
  }

  /**
   * Learns what a plugin says of itself that does not run: it is loaded for a moment, and not started. One that was learned is loaded
   * again when its module has changed.
   */
  async introduce(found: Found): Promise<void> {
    const state = await stateOf(found)
    if (state === undefined || state === this.#learned.get(found.key)) return
    try {
      const running = await runnerOf(found, this.#options.runners)(found.place, () => {})
      await running.stop()
      requireSlug(running.manifest, found)
      this.#manifests.set(found.key, running.manifest)
      this.#learned.set(found.key, state)
    } catch (error) {
      if (await lies(found)) this.#options.problems.report(error, found.key)
    }
  }

  /** @throws PluginFailure when it cannot be started */
  async begin(found: Found, account: number | null): Promise<Active> {
    const plugin = await startPlugin(found, account, this.#options, this.#options.onEnd)
    this.#manifests.set(found.key, plugin.manifest)
    // whatever its module was, it is looked at anew when it is off
    this.#learned.delete(found.key)
    return plugin
  }

  /** Starts the plugins of these rows, all at once. One that fails twice is switched off. */
  async beginWhatCan(rows: readonly PluginRow[], found: ReadonlyMap<string, Found>): Promise<ReadonlyMap<string, Active>> {
    const begun = await Promise.all(rows.map((row) => this.#beginOrSwitchOff(row, found.get(row.key) as Found)))
    return new Map(begun.flatMap((plugin) => (plugin ? [[plugin.key, plugin] as const] : [])))
  }

  async #beginOrSwitchOff({ key, activated_by }: PluginRow, found: Found): Promise<Active | undefined> {
    const { failures, problems } = this.#options
    for (;;) {
      try {
        return await this.begin(found, activated_by)
      } catch (error) {
        // whoever takes a plugin away from this node does not switch it off everywhere
        if (!(await lies(found))) {
          problems.report(moduleIsGone(), key)
          return undefined
        }
        problems.report(error, key)
        if (!failures.failed(key)) continue
        await this.switchOff(key)
        return undefined
      }
    }
  }

  /**
   * Starts plugins that are to be switched on, all or none.
   * @throws CannotSwitch when one of them is not there or cannot be started
   */
  async beginAll(keys: readonly string[], found: ReadonlyMap<string, Found>, account: number): Promise<Active[]> {
    const results = await Promise.allSettled(
      keys.map(async (key) => {
        const place = found.get(key)
        if (!place) throw new CannotSwitch(pluginErrors.plugin_missing({ plugin: key }))
        try {
          return await this.begin(place, account)
        } catch (error) {
          this.#options.problems.report(error, key)
          throw new CannotSwitch(pluginErrors.plugin_cannot_start({ plugin: key, reason: (error as Error).message }))
        }
      }),
    )
    const begun = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failed = results.find((result) => result.status === 'rejected')
    if (!failed) return begun
    await this.end(begun)
    throw failed.reason
  }

  /** Tries a plugin that is to be installed. What runs is not touched. @throws PluginFailure */
  tryOut(place: Place, runningBefore: (key: string) => PluginOnNode | undefined): Promise<string> {
    return tryPlugin(place, this.#options, runningBefore)
  }

  /** Ends plugins. One that cannot be ended holds up nobody. */
  async end(plugins: readonly Active[]): Promise<void> {
    const ended = await Promise.allSettled(plugins.map(endPlugin))
    for (const { reason } of ended.filter((one) => one.status === 'rejected'))
      this.#options.log.error({ err: reason }, 'could not stop a plugin')
  }

  /** Has no node run a plugin any more that failed. */
  async switchOff(key: string): Promise<void> {
    try {
      await this.#options.database.transaction((tx) => storeActive(tx, [key], false, null))
    } catch (error) {
      this.#options.log.error({ err: error, plugin: key }, 'could not disable a failed plugin')
    }
  }
}
