import type { Logger } from 'pino'
import type { ActivePlugin, Plugins } from '../kit/services/services.ts'
import type { Database, Tx } from '../kit/sql/tx.ts'
import type { PluginSettings } from '../resources/plugins/plugin-settings.ts'
import { byKey, type Current, inOrder, NOTHING, withShown } from './current.ts'
import { type Discovery, lies } from './discover.ts'
import { Failures } from './failures.ts'
import type { Packages } from './install/packages.ts'
import { PluginProblems } from './problems.ts'
import { addPlugins, incrementReloadCount, type PluginRow, readPlugins, storeActive, storeName } from './rows.ts'
import { type Manifest, type Place, PluginFailure } from './running.ts'
import { type Active, CALL_TIMEOUT_MS, type PluginOnNode, type Starting } from './start-plugin.ts'
import { moduleIsGone, PluginStarter } from './starter.ts'

type Options = Starting & {
  database: Database
  settings: PluginSettings
  discover: () => Promise<Discovery>
  /** Existing clients know what comes with the service as something that stays on (the table WIRE_FORM). */
  keepsBuiltInsOn: boolean
  /** Follows each change of what is found or runs here. */
  changed: () => void
  log: Logger
}

/** The same plugin, acting for an account. */
const actingFor = (plugin: Active, account: number | null): Active =>
  plugin.account === account ? plugin : { ...plugin, account }

/**
 * Which plugins there are, and which run on this node. What is to run stands in the database; this process runs what of it it can, and
 * follows when it changes. Everything that changes what runs happens one after another, and replaces all of it at once.
 */
export class PluginRegistry implements Plugins {
  readonly #options: Options
  /** The packages of this node. */
  readonly packages: Packages
  /** The settings of plugins, as this node knows them. */
  readonly settings: PluginSettings
  readonly #failures = new Failures()
  readonly #problems: PluginProblems
  readonly #starter: PluginStarter
  #current: Current = NOTHING
  #reloads = 0
  #line: Promise<unknown> = Promise.resolve()
  #learning: Promise<void> = Promise.resolve()
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
      onEnd: (plugin, failure) => this.#failed(plugin, failure),
    })
  }

  /** Finds the plugins and starts what is to run. No plugin keeps the service from starting. */
  async start(): Promise<void> {
    await this.#inLine(() => this.#load())
    this.#learn()
    await this.#learning
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([this.#line, this.#learning])
    const { active } = this.#current
    this.#become({ active: new Map() })
    await this.#starter.end([...active.values()])
  }

  /** Does what the database says by now. */
  async follow(): Promise<void> {
    await this.#inLine(async () => {
      const { rows, reloads } = await readPlugins(this.#options.database)
      if (reloads === this.#reloads) return this.#reconcile(rows)
      await this.#load()
      this.#learn()
    })
    await this.#learning
  }

  /**
   * Looks for plugins again and loads all of them anew. It is done when this process has; the others do so then. (Were they to begin
   * at once, one of them could be the first to switch off what fails, and only its own status would say why.)
   */
  async reload(): Promise<void> {
    await this.#inLine(async () => {
      await this.#load()
      const reloads = await incrementReloadCount(this.#options.database)
      // if another node asked meanwhile, what is heard of it makes this one load them again
      if (reloads === this.#reloads + 1) this.#reloads = reloads
      this.#learn()
    })
    await this.#learning
  }

  /**
   * Switches plugins on or off, all or none. It is done when this process has switched; others follow.
   * @param store what is to be changed in the same transaction
   * @returns what `store` gives, and whether they are on now
   * @throws CannotSwitch when one of them cannot be started: nothing is changed then
   */
  switch<T>(keys: readonly string[], active: boolean, account: number, store: (tx: Tx) => Promise<T>) {
    return this.#inLine(async () => {
      const { keepsBuiltInsOn, database } = this.#options
      const { found } = this.#current
      const switched = keys.filter((key) => active || !keepsBuiltInsOn || found.get(key)?.origin !== 'builtin')
      for (const key of switched) this.#failures.forget(key)
      const starting = active ? switched.filter((key) => !this.isRunning(key)) : []
      const begun = await this.#starter.beginAll(starting, found, account)
      const stored = await this.#stored(begun, () =>
        database.transaction(async (tx) => {
          const result = await store(tx)
          await storeActive(tx, switched, active, account)
          for (const { key, manifest } of begun) await storeName(tx, key, manifest.name)
          return result
        }),
      )
      for (const key of switched) this.#problems.forget(key)
      const running = new Map(this.#current.active)
      const ended = active ? [] : switched.flatMap((key) => running.get(key) ?? [])
      for (const { key } of ended) running.delete(key)
      for (const plugin of begun) running.set(plugin.key, plugin)
      const { rows } = await readPlugins(database)
      // what ran before acts for whoever switched it on now
      for (const { key, activated_by } of rows) {
        const plugin = running.get(key)
        if (plugin) running.set(key, actingFor(plugin, activated_by))
      }
      this.#become({ active: inOrder(this.#current, running), rows: byKey(rows) })
      await this.#starter.end(ended)
      return { stored, active: switched.length === keys.length ? active : true }
    })
  }

  /** Tries a plugin that is to be installed, and gives its key. What runs here is not touched. @throws PluginFailure */
  tryOut(place: Place): Promise<string> {
    const { found, active } = this.#current
    return this.#starter.tryOut(place, (key) => {
      if ((found.get(key)?.origin ?? 'package') !== 'package') throw new PluginFailure('load', `there is another plugin ${key}`)
      return active.get(key)
    })
  }

  having(hook: string): readonly ActivePlugin[] {
    return [...this.#current.active.values()]
      .filter(({ manifest }) => manifest.hooks.includes(hook))
      .map((plugin) => ({
        key: plugin.key,
        name: plugin.manifest.name,
        title: plugin.manifest.title,
        call: (args, { milliseconds = CALL_TIMEOUT_MS, check, ...calling } = {}) => {
          const call = plugin.running.call(hook, args, this.#options.contexts(plugin, calling), milliseconds)
          return this.#attend(plugin, check ? checked(call, hook, check) : call)
        },
      }))
  }

  absent(hook: string): readonly string[] {
    const { rows, active } = this.#current
    const isAbsent = ({ key, active: isOn }: PluginRow) =>
      isOn && !active.has(key) && this.#starter.manifests.get(key)?.hooks.includes(hook)
    return [...rows.values()].filter(isAbsent).map(({ key }) => key)
  }

  /** What clients are told of the plugins that lie here, by key, as JSON. */
  get shown(): string {
    return this.#current.shown
  }

  /** The plugins that lie here. */
  get keys(): readonly string[] {
    return [...this.#current.found.keys()]
  }

  /** What a plugin says of itself, if it lies here and that is known. */
  manifest(key: string): Manifest | undefined {
    return this.#current.found.has(key) ? this.#starter.manifests.get(key) : undefined
  }

  /** Whether a plugin runs here. */
  isRunning(key: string): boolean {
    return this.#current.active.has(key)
  }

  /** What runs here. */
  get running(): readonly PluginOnNode[] {
    return [...this.#current.active.values()]
  }

  /** What is wrong with plugins on this node. */
  get problems() {
    const { rows, found } = this.#current
    const absent = [...rows.values()].filter(({ key, active }) => active && !found.has(key))
    return [
      ...this.#problems.all(),
      ...absent.map(({ key }) => ({
        stage: 'discovery' as const,
        name: key,
        message: 'it is enabled, but not installed here',
      })),
    ]
  }

  /** Finds everything, makes rows of what is new, and runs what is to run anew. */
  async #load(): Promise<void> {
    const { database, discover, keepsBuiltInsOn } = this.#options
    this.#problems.forget()
    // read first: what is installed meanwhile is a reason to load once more
    const { reloads } = await readPlugins(database)
    const { found, wrong } = await discover()
    for (const { name, message } of wrong) this.#problems.report(new PluginFailure('discovery', message), name)
    const builtIn = [...found.values()].filter(({ origin }) => origin === 'builtin')
    await Promise.all(builtIn.map((one) => this.#starter.introduce(one)))
    await addPlugins(
      database,
      [...found.values()].map(({ key, packageName, origin }) => ({
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
    for (const { key } of rows) this.#failures.forget(key)
    const begun = await this.#starter.beginWhatCan(
      rows.filter(({ key, active }) => active && found.has(key)),
      found,
    )
    this.#become({ found, rows: byKey(rows), active: begun })
    await this.#starter.end(before)
  }

  /** Learns what plugins say of themselves that are off, one after another: beside all else, so that they hold up nothing that runs. */
  #learn(): void {
    this.#learning = this.#learning.then(async () => {
      for (const found of this.#current.found.values())
        if (found.origin !== 'builtin' && !this.isRunning(found.key) && !this.#isStopped) await this.#starter.introduce(found)
    })
  }

  /** Runs what is to run and does not, and ends what is not to run any more. */
  async #reconcile(rows: readonly PluginRow[]): Promise<void> {
    const { found, active } = this.#current
    const wanted = rows.filter((row) => row.active && found.has(row.key))
    const known = this.#current.rows
    // what failed here is not tried again until it is switched or loaded anew
    const begun = await this.#starter.beginWhatCan(
      wanted.filter(({ key }) => !active.has(key) && !known.get(key)?.active),
      found,
    )
    const running = new Map(begun)
    for (const { key, activated_by } of wanted) {
      const plugin = active.get(key)
      if (plugin) running.set(key, actingFor(plugin, activated_by))
    }
    this.#become({ rows: byKey(rows), active: inOrder(this.#current, running) })
    await this.#starter.end([...active.values()].filter(({ key }) => !running.has(key)))
  }

  /** Waits for a call of a plugin, and reports when it fails. */
  async #attend(plugin: Active, call: Promise<unknown>): Promise<unknown> {
    plugin.calls.add(call)
    try {
      return await call
    } catch (error) {
      // why it ended is told by itself, or it was asked to
      if (error instanceof PluginFailure && error.reason === 'ended') throw error
      const failure = this.#problems.report(error, plugin.key)
      if (failure.reason === 'late') this.#failed(plugin, failure)
      else if (failure.reason === 'thrown' && this.#failures.threw(plugin.key))
        this.#inLine(() => this.#giveUp(plugin, 'it failed too often')).catch(() => {})
      throw failure
    } finally {
      plugin.calls.delete(call)
    }
  }

  /** A plugin failed as a whole: it is started again once, and switched off the next time. */
  #failed(plugin: Active, failure: PluginFailure): void {
    this.#problems.report(failure, plugin.key)
    this.#inLine(async () => {
      if (!this.#isCurrent(plugin)) return
      if (this.#failures.failed(plugin.key)) return this.#giveUp(plugin, failure.message)
      try {
        const next = await this.#starter.begin(plugin.found, plugin.account)
        this.#become({ active: inOrder(this.#current, new Map([...this.#current.active, [plugin.key, next]])) })
        await this.#starter.end([plugin])
      } catch (error) {
        if (!(await lies(plugin.found))) return this.#loseModule(plugin)
        this.#problems.report(error, plugin.key)
        await this.#giveUp(plugin, (error as Error).message)
      }
    }).catch((error) => this.#options.log.error({ err: error, plugin: plugin.key }, 'could not restart a plugin'))
  }

  /** A plugin is compared by what runs: the same one may act for another account meanwhile. */
  #isCurrent = (plugin: Active) => this.#current.active.get(plugin.key)?.running === plugin.running

  /** Ends a plugin that failed too often, and switches it off. */
  async #giveUp(plugin: Active, because: string): Promise<void> {
    if (!this.#isCurrent(plugin)) return
    this.#problems.report(new PluginFailure('call', `it was disabled: ${because}`), plugin.key)
    await this.#remove(plugin)
    await this.#starter.switchOff(plugin.key)
  }

  /** A plugin was taken away from this node, and ended: whoever did that does not switch it off everywhere. */
  async #loseModule(plugin: Active): Promise<void> {
    this.#problems.report(moduleIsGone(), plugin.key)
    await this.#remove(plugin)
  }

  async #remove(plugin: Active): Promise<void> {
    const running = new Map(this.#current.active)
    running.delete(plugin.key)
    this.#become({ active: running })
    await this.#starter.end([plugin])
  }

  /** Replaces what is found and runs, in one assignment. */
  #become(next: Partial<Omit<Current, 'shown'>>): void {
    this.#current = withShown({ ...this.#current, ...next }, this.#starter.manifests)
    this.#options.changed()
  }

  /** What is stored; if that fails, what was begun for it is ended. */
  async #stored<T>(begun: readonly Active[], store: () => Promise<T>): Promise<T> {
    try {
      return await store()
    } catch (error) {
      await this.#starter.end(begun)
      throw error
    }
  }

  /** One piece of work after another. */
  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#line.then(() => {
      if (this.#isStopped) throw new PluginFailure('call', 'the service is stopping', 'ended')
      return work()
    })
    this.#line = done.catch(() => undefined)
    return done
  }
}

/** What a call gives, once it was looked at. @throws PluginFailure */
async function checked(call: Promise<unknown>, hook: string, check: (given: unknown) => void): Promise<unknown> {
  const given = await call
  try {
    check(given)
  } catch (error) {
    throw new PluginFailure('call', `${hook} returned an invalid result: ${(error as Error).message}`)
  }
  return given
}
