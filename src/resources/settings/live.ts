import type { Services } from '../../kit/services.ts'
import type { Database } from '../../kit/tx.ts'
import { type GlobalKey, type GlobalValues, globalSettings } from './registry.ts'
import { type GlobalSnapshot, readGlobalSettings, snapshot } from './store.ts'

/**
 * The global settings in memory, for every request that reads some. Loaded again after each change: by the request that
 * made it before it is answered, and on other nodes as soon as the database announces it.
 */
export class LiveSettings {
  readonly #database: Database
  #current: GlobalSnapshot = snapshot<GlobalValues>(globalSettings, [])
  #loads = 0

  constructor(database: Database) {
    this.#database = database
  }

  get(key: string): unknown {
    return this.#current.get(key as GlobalKey)
  }

  async reload(): Promise<void> {
    const load = ++this.#loads
    const loaded = await readGlobalSettings((text, values) => this.#database.read({ text, values }))
    // of two loads under way, the one that began later has seen more
    if (load === this.#loads) this.#current = loaded
  }
}

/** The value of a global setting, of the setting's own type. */
export const setting = <Key extends GlobalKey>({ settings }: Pick<Services, 'settings'>, key: Key): GlobalValues[Key] =>
  settings.get(key) as GlobalValues[Key]
