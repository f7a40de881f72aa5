import { LRUCache } from 'lru-cache'
import type { Config } from '../../config.ts'
import type { Plugins, Services } from '../../kit/services/services.ts'
import { type RunQuery, readThrough } from '../../kit/sql/run-query.ts'
import type { Database } from '../../kit/sql/tx.ts'
import { builtInChoices, type ChoiceLists } from './choices.ts'
import { listRows, type SettingListQuery } from './endpoints.ts'
import { type GlobalKey, type GlobalValues, globalSettings } from './registry.ts'
import { type GlobalSnapshot, globalStore, type SettingRow, snapshot } from './store.ts'

/**
 * The global settings in memory, for every request that reads some. They are read again after each change: by the request that
 * made it before it is answered, on other nodes as soon as the database announces it, and for every request while nothing is heard.
 */
export class LiveSettings {
  readonly #database: Database
  readonly #wireForm: Config['wireForm']
  readonly #plugins: Plugins
  /** Whether changes are being heard. */
  readonly #hears: () => boolean
  #current: GlobalSnapshot = snapshot<GlobalValues>(globalSettings, [])
  #rows: readonly SettingRow[] = []
  #choices: ChoiceLists = builtInChoices
  /** Lists already written, by what was asked for. */
  readonly #lists = new LRUCache<string, readonly string[]>({ max: 100 })
  /** The reading in progress, and the one that follows it for all who asked meanwhile. */
  #reading: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined
  /** How many changes are known of, and how many of them the last reading has seen. */
  #changes = 0
  #seen = -1

  constructor(database: Database, wireForm: Config['wireForm'], plugins: Plugins, hears: () => boolean) {
    this.#database = database
    this.#plugins = plugins
    this.#wireForm = wireForm
    this.#hears = hears
  }

  get(key: string): unknown {
    return this.#current.get(key as GlobalKey)
  }

  reload(): Promise<void> {
    this.#changes++
    return this.#refresh()
  }

  upToDate(): Promise<void> | undefined {
    return this.#hears() && this.#seen === this.#changes ? undefined : this.#refresh()
  }

  /**
   * Reads everything. One reading serves all who ask before it begins; the one in progress may have begun too early for them. When
   * that fails they are refused with it: where the database stands still, nobody waits for two.
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
    const query: RunQuery = readThrough({ database: this.#database })
    const rows = await globalStore(query).all()
    const choices = await readChoices(query, this.#plugins)
    this.#seen = changes
    this.#rows = rows
    this.#choices = choices
    this.#current = snapshot<GlobalValues>(globalSettings, rows)
    this.#lists.clear()
  }

  /** What the list of global settings holds for a query, each setting as JSON text. */
  list({ search = '', ordering = '' }: SettingListQuery): readonly string[] {
    const key = `${ordering} ${search}`
    const known = this.#lists.get(key)
    if (known) return known
    const found = listRows(
      { settings: globalSettings, owner: { typ: 'inventree' } },
      this.#rows,
      { search, ordering },
      { wireForm: this.#wireForm, choices: this.#choices },
    )
    const texts = found.map((entry) => JSON.stringify(entry))
    this.#lists.set(key, texts)
    return texts
  }
}

/** The function of plugins that fetch exchange rates. */
export const RATES = 'currencyRates.rates'

/** The lists that settings choose from at this moment: groups of the sign-up group, plugins of the source of exchange rates. */
export async function readChoices(query: RunQuery, plugins: Plugins): Promise<ChoiceLists> {
  const groups = await query<{ name: string }>('select name from user_group order by name', [])
  return {
    ...builtInChoices,
    rate_plugin: [
      { value: '', display_name: 'No plugin' },
      ...plugins.having(RATES).map(({ key, title }) => ({ value: key, display_name: title })),
    ],
    group: [{ value: '', display_name: '' }, ...groups.map(({ name }) => ({ value: name, display_name: name }))],
  }
}

/** The value of a global setting, of the setting's own type. */
export const setting = <Key extends GlobalKey>(
  { settings }: { settings: Pick<Services['settings'], 'get'> },
  key: Key,
): GlobalValues[Key] => settings.get(key) as GlobalValues[Key]
