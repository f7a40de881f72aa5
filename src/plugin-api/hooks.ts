import type { SupplierLabel } from './barcode/index.ts'
import type { Context, Json } from './context.ts'
import type { MachineDriver } from './machines.ts'
import type { SettingDefinitions } from './settings.ts'

/** An object of the service as GET shows it. */
export type Shown = Readonly<Record<string, any>>

/** An object that a barcode stands for: its kind as clients name it (`part`, `stockitem`, `stocklocation`, `supplierpart`, ...) and its key. */
export type Found = { kind: string; pk: number }

/** Something that happened to an object, and was committed. It carries no values: what the object is like now is read. */
export type Event = {
  /** As existing clients know it: `part_part.created`, `stock_stockitem.saved`, `company_company.deleted`, `purchaseorder.placed`, ... */
  name: string
  /** The kind of object, as clients name it (`part`, `stockitem`, `purchaseorder`, ...), and its key. It may be gone since. */
  model: string
  id: number
  /** The account that did it; null where the service did it by itself. */
  account: number | null
  /** When the change was begun: a moment in ISO 8601. */
  at: string
}

/** The kinds of orders, as clients name them. Asked about are those that the service keeps. */
export type OrderKind = 'purchaseorder' | 'salesorder' | 'returnorder' | 'build'

/** What is wrong, as a text for people; nothing when all is well. */
export type Objection = string | undefined

/** One request to the plugin's own address, `/plugin/<slug>/...`. */
export type OwnRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** What stands behind `/plugin/<slug>/`, without a slash in front. */
  path: string
  query: Readonly<Record<string, string>>
  body: Json
}

/**
 * The answer to it: `body` as JSON, or a `text` (`text/plain` unless `contentType` says otherwise). Any status but those from 300 to
 * 399; by default 200.
 */
export type OwnAnswer = { status?: number; body?: Json; text?: string; contentType?: string }

export type Mail = { to: string; subject: string; text: string; html?: string }

/** Labels to print: one PDF with a page for each, and what the template and its objects are. */
export type LabelJob = {
  pdf: Uint8Array
  filename: string
  template: Shown
  items: readonly Shown[]
  options: Shown
  copies: number
}

type Answered<Value> = Promise<Value> | Value

/** What a plugin can take part in. */
export type Hooks<Settings extends SettingDefinitions = SettingDefinitions> = {
  /** Precedes everything else; a plugin that throws here is not switched on. */
  start?(context: Context<Settings>): Answered<void>
  barcode?: {
    /** Finds what a scanned code stands for. */
    scan?(text: string, context: Context<Settings>): Answered<Found | undefined>
    /** The code of an object, by which `scan` finds it. The plugin of the service's own codes is asked for it. */
    generate?(object: Found, context: Context<Settings>): Answered<string>
  }
  /** Reads the label of a supplier; undefined when it is none of theirs. */
  supplierBarcode?: { read(text: string, context: Context<Settings>): Answered<SupplierLabel | undefined> }
  /** Prints labels. */
  labels?: { print(job: LabelJob, context: Context<Settings>): Answered<{ message?: string }> }
  /** Adds variables to the templates of labels and reports. */
  report?: { variables(template: Shown, item: Shown, context: Context<Settings>): Answered<Readonly<Record<string, Json>>> }
  /**
   * Hears of what happened, after it is committed, in order, on one of the nodes, while the setting ENABLE_PLUGINS_EVENTS is on: of `names`,
   * or of everything. It has each at least once: again if the service dies meanwhile. One at which it throws, or which takes
   * longer than 10 seconds, comes again after pauses that grow to 10 minutes, and nothing else until then.
   */
  events?: { names?: readonly string[]; handle(event: Event, context: Context<Settings>): Answered<void> }
  /**
   * Work by the clock, by name: when the plugin is switched on and then every so many minutes, on one of the nodes, while the setting
   * ENABLE_PLUGINS_SCHEDULE is on. A run has 60 seconds. One that is broken off (the plugin or the service ends) is done again.
   */
  schedule?: Readonly<Record<string, { everyMinutes: number; run(context: Context<Settings>): Answered<void> }>>
  /**
   * Has a word in writes. It runs inside the write, for 250 milliseconds at most: its context reads what this write has written so far,
   * and changes nothing. Who objects refuses the write; so does a function that throws.
   */
  validation?: {
    /** Objects to a part by field. `values` are those that are written, `before` all that were there; it is undefined for a new part. */
    part?(
      values: Shown,
      before: Shown | undefined,
      context: Context<Settings>,
    ): Answered<Readonly<Record<string, string>> | undefined>
    /** Objects to a serial number that an item of a part gets. */
    serialNumber?(serial: string, part: number, context: Context<Settings>): Answered<Objection>
    /** Objects to a batch code: of a new item, also if it has none and `batch` is empty, and one that an item gets. `item` is as it will be. */
    batchCode?(batch: string, item: Shown, context: Context<Settings>): Answered<Objection>
    /** Objects to the reference of a new order, and to one that an order gets. */
    reference?(kind: OrderKind, reference: string, context: Context<Settings>): Answered<Objection>
    /** A batch code for new stock that comes without one; the first plugin that gives one is taken. */
    newBatchCode?(context: Context<Settings>): Answered<string | undefined>
    /** The serial number that follows another one of a part; `serial` is empty for the first. The first plugin that gives one is taken. */
    nextSerialNumber?(serial: string, part: number, context: Context<Settings>): Answered<string | undefined>
  }
  /**
   * Answers under `/plugin/<slug>/`, for accounts only, while the setting ENABLE_PLUGINS_URL is on. A browser shows the answer, and
   * runs, loads and sends nothing for it.
   */
  endpoints?: { answer(request: OwnRequest, context: Context<Settings>): Answered<OwnAnswer> }
  /**
   * Sends mails in place of the service, each at most once: throwing says that it did not leave, and it is given again later. One
   * that is given when the plugin ends, or is not sent within ten seconds, is not given again.
   */
  mail?: { send(mail: Mail, context: Context<Settings>): Answered<void> }
  /** Exchange rates: how much of each currency one unit of `base` is worth. */
  currencyRates?: {
    rates(base: string, currencies: readonly string[], context: Context<Settings>): Answered<Readonly<Record<string, string>>>
  }
  /** Named actions of `POST /api/action/`. */
  actions?: Readonly<Record<string, (data: Json, context: Context<Settings>) => Answered<{ result: Json; info?: Json }>>>
  /** Works with machines, by the slug of each driver: lower-case letters, digits and dashes, 100 at most. */
  machineDrivers?: Readonly<Record<string, MachineDriver<Context<Settings>>>>
  /** Makes a stock item or a location show where it is. Without `item`, `location` is asked for that of an item in stock. */
  locate?: {
    item?(pk: number, context: Context<Settings>): Answered<void>
    location?(pk: number, context: Context<Settings>): Answered<void>
  }
}

/** What a plugin takes part in. */
export type Mixin = Exclude<keyof Hooks, 'start'>
