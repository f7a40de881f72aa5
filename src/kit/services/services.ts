import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Caller } from '../request/caller.ts'
import type { Database } from '../sql/tx.ts'
import type { Download } from './download.ts'
import type { Events } from './events.ts'
import type { Files } from './files.ts'
import type { CheckResult } from './inspection.ts'
import type { Jobs } from './jobs.ts'
import type { Journal } from './journal.ts'
import type { Maintenance } from './maintenance.ts'
import type { Printer } from './printer.ts'
import type { Secrets } from './secrets.ts'
import type { Throttle } from './throttle.ts'

/** The current settings of the service, by key. Typed access is in `resources/settings`. */
export type Settings = {
  get(key: string): unknown
  /** Reloads them; awaited after the commit of a change. Once it resolves, everything committed before is visible. */
  reload(): Promise<void>
  /** Awaited before settings are read for a new piece of work; undefined if no wait is needed. */
  upToDate(): Promise<void> | undefined
}

/** An active plugin that implements a certain hook. */
export type ActivePlugin = {
  key: string
  /** The name for programs and for users. */
  name: string
  title: string
  /**
   * Calls the function. The plugin's context is the last argument, which is not given here.
   * @param options.caller account for the plugin's own requests; by default the one that activated it
   * @param options.milliseconds time limit; by default 10,000
   * @param options.reader inside a write, the reader of its transaction (`Tx.withReader`): the plugin's requests read from it, and change nothing
   * @param options.check validates the plugin's result, which is not trusted; if it throws, the plugin failed
   * @throws Error with a user-readable text
   */
  call(args: readonly unknown[], options?: CallOptions): Promise<unknown>
}

type CallOptions = { caller?: Caller; milliseconds?: number; reader?: Database; check?: (given: unknown) => void }

/** The plugins that run on this node. Everything else about them is in the registry (`plugin-host/registry.ts`). */
export type Plugins = {
  /** Active plugins with this function, such as `currencyRates.rates`, in the order in which they are called. */
  withHook(hook: string): readonly ActivePlugin[]
  /** The keys of active plugins with this function, as far as known here, that do not run on this node. */
  missingFor(hook: string): readonly string[]
}

/** Several GETs combined in one request. */
export type CombinedRequest = {
  caller: Caller
  /** URLs of the API, such as `/api/part/?limit=25`. */
  urls: readonly string[]
  /** The site that the request addresses, for links. */
  site: string
  /** Headers of the request that responses depend on. */
  headers: Readonly<Record<string, string>>
}

/** The response to a GET: its body is text, empty if there is none. */
export type CombinedResponse = { status: number; type: string; body: string; etag: string | undefined }

/** The stored files and the rows that name them. */
export type StoredFiles = {
  /**
   * Finds the row that names a file, if the caller can view it; returns the file's display name, and whether it is a picture.
   * @throws Problem 401, 403
   */
  find(path: string, caller: Caller | undefined): Promise<{ name: string; isPicture: boolean } | undefined>
  /** Deletes files that no row names any longer, and those that a crash left behind more than a day ago. */
  clear(): Promise<void>
}

/** The services that every handler may use. */
export type Services = {
  config: Config
  database: Database
  settings: Settings
  log: Logger
  secrets: Secrets
  throttle: Throttle
  /** Background work that starts once a transaction is committed. */
  jobs: Jobs
  /** Changes of objects, and their readers. */
  events: Events
  /** Records events after their response was sent. */
  journal: Journal
  plugins: Plugins
  printer: Printer
  files: Files
  /** Fetches resources from other hosts, and never from the internal network. */
  download: Download
  storedFiles: StoredFiles
  /** Runs several GETs as each would run alone, in order, over one connection to the database. */
  readCombined(request: CombinedRequest): Promise<CombinedResponse[]>
  /** Rejects all other requests during changes whose intermediate state they must not see. */
  maintenance: Maintenance
  /** The disk of the database. `isLow`: it has so little free space that nothing more should be stored. */
  disk: { readonly isLow: boolean }
  /** Checks what the service depends on. Calls at the same time get the result of one run; it takes some seconds. */
  inspectInstallation(): Promise<CheckResult[]>
  /** The cache of accounts; called through `invalidateAccounts` (`resources/user`). */
  accounts: { invalidate(): void }
}
