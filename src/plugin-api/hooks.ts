import type { SupplierLabel } from './barcode/index.ts'
import type { Context, Json } from './context.ts'
import type { MachineDriver } from './machines.ts'
import type { SettingDefinitions } from './settings.ts'

/** An object of the service as returned by GET. */
export type Shown = Readonly<Record<string, any>>

/** The object of a barcode: its model name (`part`, `stockitem`, `stocklocation`, `supplierpart`, ...) and its key. */
export type Found = { kind: string; pk: number }

/** A committed change of an object. It has no values: read the object for its current state. */
export type Event = {
  /** Its name for existing clients: `part_part.created`, `stock_stockitem.saved`, `company_company.deleted`, `purchaseorder.placed`, ... */
  name: string
  /** The model name (`part`, `stockitem`, `purchaseorder`, ...) and the key of the object. It may have been deleted since. */
  model: string
  id: number
  /** The account that made the change; null for the service itself. */
  account: number | null
  /** The start of the change, in ISO 8601. */
  at: string
}

/** The model names of orders. */
export type OrderKind = 'purchaseorder' | 'salesorder' | 'returnorder' | 'transferorder' | 'build'

/** A validation error, as a message for users; undefined if valid. */
export type Objection = string | undefined

/** A request to a URL of the plugin, `/plugin/<slug>/...`. */
export type OwnRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path after `/plugin/<slug>/`, without a leading slash. */
  path: string
  query: Readonly<Record<string, string>>
  body: Json
}

/**
 * The response: `body` as JSON, or a `text` (`text/plain` by default, see `contentType`). The status must not be from 300 to 399; it is
 * 200 by default.
 */
export type OwnAnswer = { status?: number; body?: Json; text?: string; contentType?: string }

export type Mail = { to: string; subject: string; text: string; html?: string }

/** Labels to print: one PDF with a page for each label, the template and its objects. */
export type LabelJob = {
  pdf: Uint8Array
  filename: string
  template: Shown
  items: readonly Shown[]
  options: Shown
  copies: number
}

type MaybePromise<Value> = Promise<Value> | Value

/** The functions that a plugin can provide. */
export type Hooks<Settings extends SettingDefinitions = SettingDefinitions> = {
  /** Runs before everything else. A plugin that throws here is not enabled. */
  start?(context: Context<Settings>): MaybePromise<void>
  barcode?: {
    /** Resolves a scanned code to its object. */
    scan?(text: string, context: Context<Settings>): MaybePromise<Found | undefined>
    /** Returns the code of an object, which `scan` resolves. Called only for the plugin of the service's own codes. */
    generate?(object: Found, context: Context<Settings>): MaybePromise<string>
  }
  /** Reads the label of a supplier; undefined for other labels. */
  supplierBarcode?: { read(text: string, context: Context<Settings>): MaybePromise<SupplierLabel | undefined> }
  /** Prints labels. */
  labels?: { print(job: LabelJob, context: Context<Settings>): MaybePromise<{ message?: string }> }
  /** Adds variables to the templates of labels and reports. */
  report?: { variables(template: Shown, item: Shown, context: Context<Settings>): MaybePromise<Readonly<Record<string, Json>>> }
  /**
   * Receives events after their commit, in order, on one of the nodes, while the setting ENABLE_PLUGINS_EVENTS is on: those in `names`, or
   * all. Each event is delivered at least once: again if the service ends during the call. If the function throws, or takes longer than
   * 10 seconds, the event is retried after pauses of up to 10 minutes, and later events wait.
   */
  events?: { names?: readonly string[]; handle(event: Event, context: Context<Settings>): MaybePromise<void> }
  /**
   * Scheduled tasks by name. Each runs when the plugin is enabled and then at a fixed interval, on one of the nodes, while the setting
   * ENABLE_PLUGINS_SCHEDULE is on. A run may take 60 seconds. An interrupted run (the plugin or the service ends) is repeated.
   */
  schedule?: Readonly<Record<string, { everyMinutes: number; run(context: Context<Settings>): MaybePromise<void> }>>
  /**
   * Validates writes. It runs inside the write, for at most 250 milliseconds: its context reads the uncommitted state of the write, and
   * cannot change anything. A returned error rejects the write; so does a function that throws.
   */
  validation?: {
    /** Returns errors of a part by field. `values` are the written values, `before` all previous ones; undefined for a new part. */
    part?(
      values: Shown,
      before: Shown | undefined,
      context: Context<Settings>,
    ): MaybePromise<Readonly<Record<string, string>> | undefined>
    /** Returns the error of a new serial number of a part. */
    serialNumber?(serial: string, part: number, context: Context<Settings>): MaybePromise<Objection>
    /** Returns the error of a batch code: of a new item (an empty `batch` for none), or a changed one. `item` has its new values. */
    batchCode?(batch: string, item: Shown, context: Context<Settings>): MaybePromise<Objection>
    /** Returns the error of a new or changed reference of an order. */
    reference?(kind: OrderKind, reference: string, context: Context<Settings>): MaybePromise<Objection>
    /** Returns a batch code for new stock without one. The first plugin that returns one wins. */
    newBatchCode?(context: Context<Settings>): MaybePromise<string | undefined>
    /** Returns the serial number after another one of a part; `serial` is empty for the first. The first plugin that returns one wins. */
    nextSerialNumber?(serial: string, part: number, context: Context<Settings>): MaybePromise<string | undefined>
  }
  /**
   * Responds under `/plugin/<slug>/`, for signed-in accounts only, while the setting ENABLE_PLUGINS_URL is on. A browser displays the
   * response, but a sandbox blocks its scripts, requests and forms.
   */
  endpoints?: { answer(request: OwnRequest, context: Context<Settings>): MaybePromise<OwnAnswer> }
  /**
   * Sends emails instead of the service, each at most once. If the function throws, the email was not sent and is retried later. If the
   * plugin ends during the call, or the call takes longer than ten seconds, the email is not retried.
   */
  mail?: { send(mail: Mail, context: Context<Settings>): MaybePromise<void> }
  /** Returns exchange rates: the value of one unit of `base` in each currency. */
  currencyRates?: {
    rates(base: string, currencies: readonly string[], context: Context<Settings>): MaybePromise<Readonly<Record<string, string>>>
  }
  /** Named actions of `POST /api/action/`. */
  actions?: Readonly<Record<string, (data: Json, context: Context<Settings>) => MaybePromise<{ result: Json; info?: Json }>>>
  /** Drivers of machines, by slug: lower-case letters, digits and dashes, at most 100. */
  machineDrivers?: Readonly<Record<string, MachineDriver<Context<Settings>>>>
  /** Shows where a stock item or a location is. Without `item`, `location` is called with the location of an item in stock. */
  locate?: {
    item?(pk: number, context: Context<Settings>): MaybePromise<void>
    location?(pk: number, context: Context<Settings>): MaybePromise<void>
  }
}

/** The name of a feature that a plugin can provide. */
export type Mixin = Exclude<keyof Hooks, 'start'>
