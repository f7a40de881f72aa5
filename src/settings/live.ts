import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import type { Plugins, Services } from '../kit/services/services.ts'
import { queryThrough, type RunQuery } from '../kit/sql/run-query.ts'
import type { Database } from '../kit/sql/tx.ts'
import { builtInChoices, type ChoiceLists } from './choices.ts'
import { listRows, type SettingListQuery } from './endpoints.ts'
import { type GlobalKey, type GlobalValues, globalSettings } from './registry.ts'
import { type GlobalSnapshot, globalStore, type SettingRow, snapshot } from './store.ts'

/**
 * Cache of the global settings, for every request that reads some. It is reloaded after each change: by the request that made it before it
 * responds, on other nodes as soon as the database announces it, and for every request while the listener is disconnected.
 */
export class LiveSettings {
  readonly #database: Database
  readonly #plugins: Plugins
  /** Whether the listener is connected. */
  readonly #isListening: () => boolean
  #current: GlobalSnapshot = snapshot<GlobalValues>(globalSettings, [])
  #rows: readonly SettingRow[] = []
  #choices: ChoiceLists = builtInChoices
  /** Serialized lists, by query. */
  readonly #lists = new LRUCache<string, readonly string[]>({ max: 100 })
  /** The read in progress, and the next one, shared by all callers that requested it in the meantime. */
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** Number of known changes, and the number that the last read includes. */
  #changes = 0
  #includedChanges = -1

  constructor(database: Database, plugins: Plugins, isListening: () => boolean) {
    this.#database = database
    this.#plugins = plugins
    this.#isListening = isListening
  }

  get(key: string): unknown {
    return this.#current.get(key as GlobalKey)
  }

  reload(): Promise<void> {
    this.#changes++
    return this.#refresh()
  }

  upToDate(): Promise<void> | undefined {
    return this.#isListening() && this.#includedChanges === this.#changes ? undefined : this.#refresh()
  }

  /**
   * Reads all settings. One read serves all callers before it starts; the one in progress may have started too early for them. If that
   * fails they are rejected with it, so that with an unresponsive database no caller waits for two.
   */
  #refresh(): Promise<void> {
    this.#next ??= this.#reading
      .finally(() => {
        this.#next = undefined
      })
      .then(() => {
        const reading = this.#read()
        this.#reading = reading
        reading.catch(() => {
          this.#reading = Promise.resolve()
        })
        return reading
      })
    return this.#next
  }

  async #read(): Promise<void> {
    const changes = this.#changes
    const query: RunQuery = queryThrough({ database: this.#database })
    const rows = await globalStore(query).all()
    const choices = await readChoices(query, this.#plugins)
    this.#includedChanges = changes
    this.#rows = rows
    this.#choices = choices
    this.#current = snapshot<GlobalValues>(globalSettings, rows)
    this.#lists.clear()
  }

  /** The stored text of each setting, by key; those without a row have none. */
  get storedTexts(): ReadonlyMap<string, string> {
    return new Map(this.#rows.map(({ key, value }) => [key, value]))
  }

  /** The current options of settings whose options depend on the running service. */
  get choices(): ChoiceLists {
    return this.#choices
  }

  /** Lists the global settings for a query, each as JSON text in a wire form. */
  list({ search = '', ordering = '' }: SettingListQuery, wire: Config['wire']): readonly string[] {
    const key = `${wire.typedSettings} ${ordering} ${search}`
    const cachedList = this.#lists.get(key)
    if (cachedList) return cachedList
    const entries = listRows(
      { settings: globalSettings, owner: { typ: 'inventree' } },
      this.#rows,
      { search, ordering },
      { wire, choices: this.#choices },
    )
    const texts = entries.map((entry) => JSON.stringify(entry))
    this.#lists.set(key, texts)
    return texts
  }
}

/** The plugin function that fetches exchange rates. */
export const RATES_HOOK = 'currencyRates.rates'

/** Reads the current options of settings: groups for the sign-up group, plugins for the source of exchange rates. */
export async function readChoices(query: RunQuery, plugins: Plugins): Promise<ChoiceLists> {
  const groups = await query<{ name: string }>('select name from user_group order by name', [])
  return {
    ...builtInChoices,
    rate_plugin: [
      { value: '', display_name: 'No plugin' },
      ...plugins.withHook(RATES_HOOK).map(({ key, title }) => ({ value: key, display_name: title })),
    ],
    group: [{ value: '', display_name: '' }, ...groups.map(({ name }) => ({ value: name, display_name: name }))],
  }
}

/** Returns the value of a global setting, in the setting's own type. */
export const setting = <Key extends GlobalKey>(
  { settings }: { settings: Pick<Services['settings'], 'get'> },
  key: Key,
): GlobalValues[Key] => settings.get(key) as GlobalValues[Key]
