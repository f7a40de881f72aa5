import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Caller } from '../request/caller.ts'
import type { Database } from '../sql/tx.ts'
import type { Download } from './download.ts'
import type { Events } from './events.ts'
import type { Files } from './files.ts'
import type { Jobs } from './jobs.ts'
import type { Journal } from './journal.ts'
import type { Maintenance } from './maintenance.ts'
import type { Printer } from './printer.ts'
import type { Secrets } from './secrets.ts'
import type { Throttle } from './throttle.ts'

/** The settings of the service as they are now, by key. Typed access is the settings' own (`resources/settings`). */
export type Settings = {
  get(key: string): unknown
  /** Reads them again; to be waited for after a change of one is committed. When it is done, what was committed before is seen. */
  reload(): Promise<void>
  /** To be waited for before some are read for a new piece of work; undefined where nothing has to be waited for. */
  upToDate(): Promise<void> | undefined
}

/** A plugin that is switched on and has a certain function. */
export type ActivePlugin = {
  key: string
  /** For programs that know it, and for people. */
  name: string
  title: string
  /**
   * Calls the function. The plugin's context is the last argument, which is not given here.
   * @param options.caller in whose name it may ask for more; by default in that of whoever switched it on
   * @param options.milliseconds that it may take; by default 10,000
   * @param options.reader inside a write, its transaction as it is lent (`Tx.lend`): what it asks for it reads there, and it changes nothing
   * @param options.check looks at what the plugin gave, which is not trusted; where it throws, the plugin failed
   * @throws Error with words for people
   */
  call(args: readonly unknown[], options?: CallOptions): Promise<unknown>
}

type CallOptions = { caller?: Caller; milliseconds?: number; reader?: Database; check?: (given: unknown) => void }

/** The plugins that run on this node. What else is known of them is the registry's own (`plugin-host/registry.ts`). */
export type Plugins = {
  /** Those that are switched on and have this function, such as `currencyRates.rates`, in the order in which they are asked. */
  having(hook: string): readonly ActivePlugin[]
  /** The keys of those that are switched on and have this function, as far as is known here, and do not run on this node. */
  absent(hook: string): readonly string[]
}

/** What is asked with several GETs of one request. */
export type AskedTogether = {
  caller: Caller
  /** Addresses of the interface, as `/api/part/?limit=25`. */
  addresses: readonly string[]
  /** The site that the request asks, for links. */
  site: string
  /** Headers of the request on which answers depend. */
  headers: Readonly<Record<string, string>>
}

/** What a GET was answered: its body is text, empty where there is none. */
export type AnsweredGet = { status: number; type: string; body: string; etag: string | undefined }

/** Which rows name stored files. */
export type StoredFiles = {
  /**
   * Finds the row that names a file, if the caller may view it; gives what people call the file, and whether it is a picture.
   * @throws Problem 401, 403
   */
  find(path: string, caller: Caller | undefined): Promise<{ name: string; isPicture: boolean } | undefined>
  /** Removes files that no row names: those that a row let go, and what crashes left more than a day ago. */
  clear(): Promise<void>
}

/** What every handler may use. */
export type Services = {
  config: Config
  database: Database
  settings: Settings
  log: Logger
  secrets: Secrets
  throttle: Throttle
  /** Work that is done in the background once a transaction is committed. */
  jobs: Jobs
  /** What happened to objects, and who reads it. */
  events: Events
  /** Writes down what happened, once it is answered. */
  journal: Journal
  plugins: Plugins
  printer: Printer
  files: Files
  /** Fetches what lies elsewhere, and never in the house. */
  download: Download
  storedFiles: StoredFiles
  /** Answers several GETs as each would be answered alone, in their order, over one connection to the database. */
  readTogether(asked: AskedTogether): Promise<AnsweredGet[]>
  /** Keeps all other requests waiting while something is changed that they must not see half done. */
  maintenance: Maintenance
  /** The disk that the database lies on. `isLow`: it has so little room that nothing more should be stored. */
  disk: { readonly isLow: boolean }
  /** What is remembered of accounts; `forgetAccounts` (`resources/user`) is what calls it. */
  accounts: { forget(): void }
}
