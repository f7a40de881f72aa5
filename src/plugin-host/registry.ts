import type { Logger } from 'pino'
import type { ActivePlugin, Plugins } from '../kit/services/services.ts'
import type { Database, Tx } from '../kit/sql/tx.ts'
import { type Current, EMPTY_STATE, indexByKey, sortByDiscovery, withDetails } from './current.ts'
import { type DiscoveredPlugin, type Discovery, isPluginPresent } from './discover.ts'
import { Failures } from './failures.ts'
import type { Packages } from './install/packages.ts'
import type { PluginSettings } from './plugin-settings.ts'
import { PluginProblems } from './problems.ts'
import { addPlugins, incrementReloadCount, type PluginRow, readPlugins, storeActive, storeName } from './rows.ts'
import { type Manifest, PluginFailure, type PluginPaths } from './running.ts'
import { type Active, CALL_TIMEOUT_MS, type PluginOnNode, type StartOptions } from './start-plugin.ts'
import { createModuleMissingFailure, PluginStarter } from './starter.ts'

type Options = StartOptions & {
  database: Database
  settings: PluginSettings
  discover: () => Promise<Discovery>
  /** Existing clients expect built-in plugins to stay enabled (WIRE_FORM). */
  keepsBuiltInsOn: boolean
  /** Called after each change of the plugins found or running here. */
  onChange: () => void
  log: Logger
}

/** The same plugin, acting for an account. */
const withAccount = (plugin: Active, account: number | null): Active =>
  plugin.account === account ? plugin : { ...plugin, account }

/**
 * The plugins that exist, and those that run on this node. The database stores which plugins are enabled; this process runs as many of them
 * as it can, and follows changes. All changes of running plugins are serialized, and each replaces the whole snapshot.
 */
export class PluginRegistry implements Plugins {
  readonly #options: Options
  /** The packages of this node. */
  readonly packages: Packages
  /** The settings of plugins, as cached on this node. */
  readonly settings: PluginSettings
  readonly #failures = new Failures()
  readonly #problems: PluginProblems
  readonly #starter: PluginStarter
  #current: Current = EMPTY_STATE
  #reloads = 0
  #queue: Promise<unknown> = Promise.resolve()
  #manifestLoading: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(packages: Packages, options: Options) {
    this.packages = packages
    this.settings = options.settings
    this.#options = options
    this.#problems = new PluginProblems(options.log)
    this.#starter = new PluginStarter({
      ...options,
      failures: this.#failures,
      problems: this.#problems,
      onEnd: (plugin, failure) => this.#handleFailure(plugin, failure),
    })
  }

  /** Discovers plugins and starts the enabled ones. No plugin prevents the service from starting. */
  async start(): Promise<void> {
    await this.#enqueue(() => this.#load())
    this.#loadManifests()
    await this.#manifestLoading
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([this.#queue, this.#manifestLoading])
    const { active } = this.#current
    this.#setCurrent({ active: new Map() })
    await this.#starter.end([...active.values()])
  }

  /** Follows the current state of the database. */
  async followDatabase(): Promise<void> {
    await this.#enqueue(async () => {
      const { rows, reloads } = await readPlugins(this.#options.database)
      if (reloads === this.#reloads) return this.#reconcile(rows)
      await this.#load()
      this.#loadManifests()
    })
    await this.#manifestLoading
  }

  /**
   * Discovers plugins again and reloads all of them. It resolves when this process has finished; only then do the others reload. (If they
   * started at the same time, another node could be the first to disable a failing plugin, and only its own status would show the reason.)
   */
  async reload(): Promise<void> {
    await this.#enqueue(async () => {
      await this.#load()
      const reloads = await incrementReloadCount(this.#options.database)
      // if another node requested a reload in the meantime, its notification makes this one reload again
      if (reloads === this.#reloads + 1) this.#reloads = reloads
      this.#loadManifests()
    })
    await this.#manifestLoading
  }

  /**
   * Enables or disables plugins, all or none. It resolves when this process has done so; others follow.
   * @param store makes further changes in the same transaction
   * @returns the result of `store`, and whether the plugins are enabled now
   * @throws SwitchError if one of them cannot be started: nothing is changed then
   */
  switch<T>(keys: readonly string[], active: boolean, account: number, store: (tx: Tx) => Promise<T>) {
    return this.#enqueue(async () => {
      const { database } = this.#options
      const { discovered } = this.#current
      const switchedKeys = keys.filter((key) => active || !this.isAlwaysOn(key))
      for (const key of switchedKeys) this.#failures.reset(key)
      const starting = active ? switchedKeys.filter((key) => !this.isRunning(key)) : []
      const started = await this.#starter.startAll(starting, discovered, account)
      const stored = await this.#storeOrEnd(started, () =>
        database.transaction(async (tx) => {
          const result = await store(tx)
          await storeActive(tx, switchedKeys, active, account)
          for (const { key, manifest } of started) await storeName(tx, key, manifest.name)
          return result
        }),
      )
      for (const key of switchedKeys) this.#problems.clear(key)
      const running = new Map(this.#current.active)
      const ended = active ? [] : switchedKeys.flatMap((key) => running.get(key) ?? [])
      for (const { key } of ended) running.delete(key)
      for (const plugin of started) running.set(plugin.key, plugin)
      const { rows } = await readPlugins(database)
      // plugins that were already running act for the account that enabled them last
      for (const { key, activated_by } of rows) {
        const plugin = running.get(key)
        if (plugin) running.set(key, withAccount(plugin, activated_by))
      }
      this.#setCurrent({ active: sortByDiscovery(this.#current, running), rows: indexByKey(rows) })
      await this.#starter.end(ended)
      return { stored, active: switchedKeys.length === keys.length ? active : true }
    })
  }

  /** Tries a plugin that is to be installed, and returns its key. Running plugins are not affected. @throws PluginFailure */
  tryOut(paths: PluginPaths): Promise<string> {
    const { discovered, active } = this.#current
    return this.#starter.tryOut(paths, (key) => {
      if ((discovered.get(key)?.origin ?? 'package') !== 'package')
        throw new PluginFailure('load', `there is another plugin ${key}`)
      return active.get(key)
    })
  }

  withHook(hook: string): readonly ActivePlugin[] {
    return [...this.#current.active.values()]
      .filter(({ manifest }) => manifest.hooks.includes(hook))
      .map((plugin) => ({
        key: plugin.key,
        name: plugin.manifest.name,
        title: plugin.manifest.title,
        call: (args, { milliseconds = CALL_TIMEOUT_MS, check, ...callContext } = {}) => {
          const call = plugin.running.call(hook, args, this.#options.contexts(plugin, callContext), milliseconds)
          return this.#awaitCall(plugin, check ? validateResult(call, hook, check) : call)
        },
      }))
  }

  missingFor(hook: string): readonly string[] {
    const { rows, active } = this.#current
    const isAbsent = ({ key, active: isOn }: PluginRow) =>
      isOn && !active.has(key) && this.#starter.manifests.get(key)?.hooks.includes(hook)
    return [...rows.values()].filter(isAbsent).map(({ key }) => key)
  }

  /** The details of the plugins on this node for clients, by key, as JSON. */
  get shown(): string {
    return this.#current.shown
  }

  /** The keys of the plugins on this node. */
  get keys(): readonly string[] {
    return [...this.#current.discovered.keys()]
  }

  /** The source of a plugin on this node; undefined if it is missing here. */
  origin(key: string): DiscoveredPlugin['origin'] | undefined {
    return this.#current.discovered.get(key)?.origin
  }

  /** Whether a plugin cannot be disabled, because existing clients expect that. */
  isAlwaysOn(key: string): boolean {
    return this.#options.keepsBuiltInsOn && this.origin(key) === 'builtin'
  }

  /** The manifest of a plugin on this node, if known. */
  manifest(key: string): Manifest | undefined {
    return this.#current.discovered.has(key) ? this.#starter.manifests.get(key) : undefined
  }

  /** Whether a plugin runs here. */
  isRunning(key: string): boolean {
    return this.#current.active.has(key)
  }

  /** The plugins running on this node. */
  get running(): readonly PluginOnNode[] {
    return [...this.#current.active.values()]
  }

  /** The problems of plugins on this node. */
  get problems() {
    const { rows, discovered } = this.#current
    const absent = [...rows.values()].filter(({ key, active }) => active && !discovered.has(key))
    return [
      ...this.#problems.all(),
      ...absent.map(({ key }) => ({
        stage: 'discovery' as const,
        name: key,
        message: 'it is enabled, but not installed here',
      })),
    ]
  }

  /** Discovers plugins, creates rows for new ones, and restarts all enabled ones. */
  async #load(): Promise<void> {
    const { database, discover, keepsBuiltInsOn } = this.#options
    this.#problems.clear()
    // read first: an installation in the meantime requires another load
    const { reloads } = await readPlugins(database)
    const { discovered, invalid } = await discover()
    for (const { name, message } of invalid) this.#problems.report(new PluginFailure('discovery', message), name)
    const builtIn = [...discovered.values()].filter(({ origin }) => origin === 'builtin')
    await Promise.all(builtIn.map((plugin) => this.#starter.loadManifest(plugin)))
    await addPlugins(
      database,
      [...discovered.values()].map(({ key, packageName, origin }) => ({
        key,
        name: this.#starter.manifests.get(key)?.name ?? key,
        packageName,
        active: origin === 'builtin',
      })),
    )
    const builtInKeys = builtIn.map(({ key }) => key)
    if (keepsBuiltInsOn) await database.transaction((tx) => storeActive(tx, builtInKeys, true, null))
    const { rows } = await readPlugins(database)
    this.#reloads = reloads
    const before = [...this.#current.active.values()]
    for (const { key } of rows) this.#failures.reset(key)
    const started = await this.#starter.startAvailable(
      rows.filter(({ key, active }) => active && discovered.has(key)),
      discovered,
    )
    this.#setCurrent({ discovered, rows: indexByKey(rows), active: started })
    await this.#starter.end(before)
  }

  /** Loads the manifests of disabled plugins, one after another and in the background, so that they delay no running plugin. */
  #loadManifests(): void {
    this.#manifestLoading = this.#manifestLoading.then(async () => {
      for (const discovered of this.#current.discovered.values())
        if (discovered.origin !== 'builtin' && !this.isRunning(discovered.key) && !this.#isStopped)
          await this.#starter.loadManifest(discovered)
    })
  }

  /** Starts newly enabled plugins, and stops those that are no longer enabled. */
  async #reconcile(rows: readonly PluginRow[]): Promise<void> {
    const { discovered, active } = this.#current
    const activeRows = rows.filter((row) => row.active && discovered.has(row.key))
    const previousRows = this.#current.rows
    // a failed plugin is not retried here until it is enabled again or reloaded
    const started = await this.#starter.startAvailable(
      activeRows.filter(({ key }) => !active.has(key) && !previousRows.get(key)?.active),
      discovered,
    )
    const running = new Map(started)
    for (const { key, activated_by } of activeRows) {
      const plugin = active.get(key)
      if (plugin) running.set(key, withAccount(plugin, activated_by))
    }
    this.#setCurrent({ rows: indexByKey(rows), active: sortByDiscovery(this.#current, running) })
    await this.#starter.end([...active.values()].filter(({ key }) => !running.has(key)))
  }

  /** Waits for a call of a plugin, and reports its failure. */
  async #awaitCall(plugin: Active, call: Promise<unknown>): Promise<unknown> {
    plugin.calls.add(call)
    try {
      return await call
    } catch (error) {
      // the reason for its end is reported separately, or it was stopped on request
      if (error instanceof PluginFailure && error.reason === 'ended') throw error
      const failure = this.#problems.report(error, plugin.key)
      if (failure.reason === 'late') this.#handleFailure(plugin, failure)
      else if (failure.reason === 'thrown' && this.#failures.recordThrow(plugin.key))
        this.#enqueue(() => this.#disable(plugin, 'it failed too often')).catch(() => {})
      throw failure
    } finally {
      plugin.calls.delete(call)
    }
  }

  /** Handles the failure of a whole plugin: it is restarted once, and disabled the next time. */
  #handleFailure(plugin: Active, failure: PluginFailure): void {
    this.#problems.report(failure, plugin.key)
    this.#enqueue(async () => {
      if (!this.#isCurrent(plugin)) return
      if (this.#failures.recordCrash(plugin.key)) return this.#disable(plugin, failure.message)
      try {
        const next = await this.#starter.start(plugin.discovered, plugin.account)
        this.#setCurrent({ active: sortByDiscovery(this.#current, new Map([...this.#current.active, [plugin.key, next]])) })
        await this.#starter.end([plugin])
      } catch (error) {
        if (!(await isPluginPresent(plugin.discovered))) return this.#loseModule(plugin)
        this.#problems.report(error, plugin.key)
        await this.#disable(plugin, (error as Error).message)
      }
    }).catch((error) => this.#options.log.error({ err: error, plugin: plugin.key }, 'could not restart a plugin'))
  }

  /** Compares the running instances: the same plugin may act for another account by now. */
  #isCurrent = (plugin: Active) => this.#current.active.get(plugin.key)?.running === plugin.running

  /** Stops a plugin that failed too often, and disables it. */
  async #disable(plugin: Active, reason: string): Promise<void> {
    if (!this.#isCurrent(plugin)) return
    this.#problems.report(new PluginFailure('call', `it was disabled: ${reason}`), plugin.key)
    await this.#remove(plugin)
    await this.#starter.disable(plugin.key)
  }

  /** Handles a plugin that was removed from this node and has ended: that does not disable it on other nodes. */
  async #loseModule(plugin: Active): Promise<void> {
    this.#problems.report(createModuleMissingFailure(), plugin.key)
    await this.#remove(plugin)
  }

  async #remove(plugin: Active): Promise<void> {
    const running = new Map(this.#current.active)
    running.delete(plugin.key)
    this.#setCurrent({ active: running })
    await this.#starter.end([plugin])
  }

  /** Replaces the snapshot in one assignment. */
  #setCurrent(next: Partial<Omit<Current, 'shown'>>): void {
    this.#current = withDetails({ ...this.#current, ...next }, this.#starter.manifests)
    this.#options.onChange()
  }

  /** Runs a write to the database; if it fails, stops the plugins that were started for it. */
  async #storeOrEnd<T>(started: readonly Active[], store: () => Promise<T>): Promise<T> {
    try {
      return await store()
    } catch (error) {
      await this.#starter.end(started)
      throw error
    }
  }

  /** Serializes work. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(() => {
      if (this.#isStopped) throw new PluginFailure('call', 'the service is stopping', 'ended')
      return work()
    })
    this.#queue = done.catch(() => undefined)
    return done
  }
}

/** The validated result of a call. @throws PluginFailure */
async function validateResult(call: Promise<unknown>, hook: string, check: (pluginResult: unknown) => void): Promise<unknown> {
  const pluginResult = await call
  try {
    check(pluginResult)
  } catch (error) {
    throw new PluginFailure('call', `${hook} returned an invalid result: ${(error as Error).message}`)
  }
  return pluginResult
}
