// Over 400 lines: it is the table of every switch, with what it changes.
/** A difference that a variable decides: the switch is on for existing clients of InvenTree, and off otherwise. */
type Switch = {
  /** The requests or responses that differ. */
  topic: string
  off: string
  on: string
}

/** The differences between `WIRE_FORM=specification` (off) and `WIRE_FORM=inventree` (on). docs/configuration.md is generated from them. */
const formSwitches = {
  bareLists: {
    topic: 'list without `limit`',
    off: 'envelope, up to `MAX_PAGE_SIZE` rows',
    on: 'bare array of all rows',
  },
  formerExportFiles: {
    topic:
      'columns and name of an export file (`export`), of parts, categories, stock, locations, builds, orders (all types), lines and other charges of purchase and sales orders',
    off: 'a column for each field',
    on: 'those that spreadsheets and scripts know, such as `Stock Item ID`; other lists as in the other form',
  },
  versionTextByNumber: {
    topic: 'versions of the interface (`version-text`)',
    off: 'a list; `text` of each is a text with a line for each change',
    on: 'an object by version, null where nothing is known; `text` is a list',
  },
  nextReference: {
    topic: '`POST` without `reference` on an order or a build order',
    off: '400, it is required',
    on: 'the next reference is used',
  },
  creationDateToday: {
    topic: '`creation_date: null` of an order',
    off: 'null is stored',
    on: 'today (UTC) is used',
  },
  putKeepsOmitted: {
    topic: '`PUT` without optional fields',
    off: 'they return to their defaults',
    on: 'they keep their values',
  },
  quantityOne: {
    topic: '`POST` of an order line or a build order without `quantity`',
    off: '400, it is required',
    on: '1 is used',
  },
  strictLines: {
    topic:
      'order line with `part` absent or null on `POST`, or with a negative price; of a purchase order also quantity 0; of a return order only the price; other charge with a negative quantity',
    off: 'allowed',
    on: '400',
  },
  freeOverAllocation: {
    topic:
      'allocating more to a line of a sales order or transfer order than its shortage, by the order (by a barcode it is 400 in both forms)',
    off: '400 unless `allow_over_allocation` is true',
    on: 'accepted',
  },
  barcodeResultOnly: {
    topic: 'responses of the barcode operations that those clients know (batches respond alike in both forms)',
    off: '201, with the fields of the body as sent and the objects found',
    on: '200, with the objects found',
  },
  barcodeErrorTexts: {
    topic: 'values in the errors of barcode operations',
    off: 'JSON values',
    on: 'texts (`"48"`, `"None"`, `"True"`)',
  },
  barcodeSeveralMatches: {
    topic: 'several objects match one barcode',
    off: '400 with `error` and `candidates`',
    on: '200 with `error` and `success`',
  },
  numericBarcodes: {
    topic: 'a number as `barcode`',
    off: '400',
    on: 'its text is used',
  },
  roundsMoney: {
    topic: 'money with more than 6 fractional digits, or in another form than its pattern, such as `1e2`',
    off: '400',
    on: 'rounded; parsed',
  },
  nullLineTotal: {
    topic: '`total_price` of a purchase order line without a price',
    off: '0',
    on: 'null',
  },
  ownTargetDateOnly: {
    topic: '`overdue` of a line without its own target date',
    off: 'by the target date of its order',
    on: 'by its own only',
  },
  omitsNullDetails: {
    topic: '`manufacturer_detail` of a supplier part without a manufacturer part',
    off: 'null',
    on: 'the key is absent',
  },
  bareThumbnails: {
    topic: '`GET /api/part/thumbs/`',
    off: 'envelope; `image` is a URL',
    on: 'a bare array, with `limit` as well; `image` is the path below `/media/`',
  },
  relativeFileUrls: {
    topic: 'URL of a stored file (attachments, templates, assets)',
    off: 'absolute, below `SITE_URL`',
    on: '`/media/...`',
  },
  printsDocument: {
    topic: '`GET /api/report/.../print/`',
    off: 'the template with `file`, the URL of the PDF; the PDF itself with `format=pdf` or `Accept: application/pdf`',
    on: 'the PDF itself',
  },
  lenientItemKeys: {
    topic: 'item keys of template lists and of printing that are invalid; in template lists also those of missing objects',
    off: '400',
    on: 'ignored',
  },
  printsNamedItems: {
    topic: 'printing without naming items',
    off: 'the sample object is printed once',
    on: '400, of a report on `error`',
  },
  storesBrokenTemplates: {
    topic: 'a template or snippet with a syntax error',
    off: '400 on its file',
    on: 'stored, with the error in `problems`; printing it is 400',
  },
  missingFileError: {
    topic: 'printing a report whose template file is missing',
    off: '400 on `template`',
    on: '400 on `error`',
  },
  acceptsForms: {
    topic: 'form and multipart bodies where no file is accepted',
    off: '415',
    on: 'accepted, as the description of that interface says of every operation',
  },
  lenientBooleans: {
    topic: 'an invalid value of a boolean filter',
    off: '400',
    on: 'ignored',
  },
  referenceWithoutCase: {
    topic: 'order `reference` filter',
    off: 'exact',
    on: 'without case',
  },
  bareStateErrors: {
    topic: 'error body of an action that is rejected for the status of the order',
    off: '`{"non_field_errors": [...]}`',
    on: '`[...]`',
  },
  acceptsRepeatedActions: {
    topic: '`issue` of an order that has that status already, `complete` of a purchase or return order that has',
    off: '400',
    on: '201, nothing changes',
  },
  ignoresNewerFields: {
    topic: '`expiry_date`, `packaging` and `note` of received goods, `location` of a count (with API 530 as in the other form)',
    off: 'stored with the stock; the items move there',
    on: 'ignored',
  },
  releasesForCounts: {
    topic: 'a count below the allocated quantity, without `release_allocations`',
    off: '400 with the allocations concerned, nothing changes',
    on: 'as much as needed of the newest allocations is released',
  },
  takesWhatIsThere: {
    topic: 'removing or moving more of an item than is in stock',
    off: '400 on the `quantity` of that item, nothing changes',
    on: 'the quantity in stock is removed or moved',
  },
  skipsSerialized: {
    topic: 'counting an item with a serial number as anything but 1, adding to or removing from one, moving a fraction of one',
    off: '400 on the `quantity` of that item, nothing changes',
    on: 'it does not change',
  },
  bareActivePartError: {
    topic: 'error body of `DELETE` of an active part',
    off: '`{"detail": "..."}`',
    on: 'the bare text',
  },
  publicSettings: {
    topic: 'reading global settings',
    off: 'staff',
    on: 'any account',
  },
  lenientSettings: {
    topic: 'a global setting with a value of the wrong type',
    off: '400 on `value`',
    on: 'integer: the default is stored; choice: 400 on `non_field_errors`',
  },
  settingChoicesAsLists: {
    topic: '`choices`, `model_name`, `api_url` of a setting',
    off: 'texts: `choices` is the JSON text of the list, the others are empty for none',
    on: 'a list; null for none',
  },
  pluginSettingsWithoutKey: {
    topic: '`pk` of a plugin setting that was never stored; an invalid `plugin__active`',
    off: 'an integer: its row is created when it is first listed; 400',
    on: 'null; ignored',
  },
  hidesInactivePluginSettings: {
    topic: 'settings of a plugin that is switched off',
    off: 'can be read and changed',
    on: '404',
  },
  keepsBuiltInsOn: {
    topic: 'switching off a built-in plugin',
    off: 'it is off',
    on: 'it stays on, the response has `active: true`',
  },
  nullRemovedEmail: {
    topic: '`id` of a removed email address in the response',
    off: 'its key',
    on: 'null',
  },
  registrationOpensSession: {
    topic: 'successful registration',
    off: '201 and the token',
    on: '204, a session is started',
  },
  resendEmail200: {
    topic: 'successful `resend-email`',
    off: '201',
    on: '200',
  },
  bareProviders: {
    topic: 'providers',
    off: 'envelope with one object; `login` and `connect` of one that is not configured are empty texts',
    on: 'the object itself; null',
  },
  readAllByGet: {
    topic: '`GET /api/notifications/readall/` (405 with API 530)',
    off: '405: only POST',
    on: '200, it does the same as POST',
  },
  namesInvenTree: {
    topic: '`server` in `GET /api/`',
    off: '`Stockroom`',
    on: '`InvenTree`',
  },
} satisfies Record<string, Switch>

/**
 * The differences between `INVENTREE_API=196` (off) and `INVENTREE_API=530` (on), which have effect with `WIRE_FORM=inventree`: without it the
 * specification decides.
 */
const apiSwitches = {
  announces530: {
    topic: 'API version in `GET /api/`, `/api/version/` and `/api/version-text/`',
    off: '196',
    on: '530',
  },
  extendedFields: {
    topic: 'fields that API 196 does not have',
    off: 'only with `extended=true`, or with the parameter of the field',
    on: 'in every response; nested objects have them as well',
  },
  changedDetails: {
    topic: 'nested objects of lists and details without a parameter, where the default changed',
    off: 'as in API 196',
    on: 'as in API 530',
  },
  detailsAfterWrites: {
    topic: 'nested objects in responses to `POST`, `PUT` and `PATCH`',
    off: 'as the parameters say',
    on: 'all of them',
  },
  numericMoney: {
    topic: 'money in responses',
    off: 'text, such as `"3.500000"`',
    on: 'number, such as `3.5`',
  },
  changedResponses: {
    topic:
      'automatic allocation, completion, scrapping and deletion of outputs of a build order, shipping; receiving, creating and serializing stock, creating outputs',
    off: '201, with the body',
    on: '200, with the state of a task that is done; 201, with the list of the stock items',
  },
  listsVersions: {
    topic: '`version-text`',
    off: 'an object by version',
    on: 'a list',
  },
  filtersByTag: {
    topic: '`tags` in the query of a list',
    off: 'whether the tags are shown',
    on: 'only objects with the tag of this name',
  },
  searchesAllLists: {
    topic:
      '`search` in lists of allocations to orders and build orders, of shipments, of related parts, and of trees of categories and locations',
    off: 'ignored',
    on: 'only rows with these words',
  },
  rejectsUnknownKeys: {
    topic: 'filters by an object that does not exist, where API 196 ignores them',
    off: 'no effect',
    on: '400',
  },
  openPeriods: {
    topic: '`min_date` and `max_date` in lists of orders and build orders',
    off: 'only together: orders completed or due in the period',
    on: 'each alone as well: orders whose creation, start and target dates overlap the period',
  },
  exactStatus: {
    topic: 'a built-in status in the filter `status`',
    off: 'also finds objects in custom states of it',
    on: 'only finds objects in no custom state',
  },
  topLevelOnly: {
    topic: '`top_level=false` in lists of categories and locations',
    off: 'only those below others',
    on: 'no effect',
  },
  searchesMore: {
    topic: '`search` in lists of stock items, locations, categories and lines of build orders',
    off: 'the texts that API 196 searches',
    on: 'also SKU and MPN, paths, IPN and description of the component',
  },
  thumbnailPages: {
    topic: '`GET /api/part/thumbs/`',
    off: 'a bare array; `image` is the path below `/media/`',
    on: 'with `limit`, an envelope; `image` is a URL',
  },
  issuesByCaller: {
    topic: '`issued_by` of a new build order',
    off: 'as in the body; by default none',
    on: 'the caller',
  },
  longLinks: {
    topic: 'length of a link',
    off: 'at most 200 characters',
    on: 'at most 2,000 characters',
  },
  typedSettings: {
    topic: 'value of a setting in responses',
    off: 'text, such as `"True"` or `"10"`',
    on: 'boolean or number, if the setting is one',
  },
  manualPrices: {
    topic: 'new line of a purchase order without `auto_pricing`',
    off: 'its price comes from the price breaks of the supplier part',
    on: 'its price is the one in the body',
  },
  orderDestinationFirst: {
    topic: 'goods of a purchase order that are received without a `location`, if the order has a `destination`',
    off: 'to the destination of their line, otherwise to that of the order',
    on: 'to the destination of the order',
  },
  changedRequirements: {
    topic:
      'fields of bodies: `category` and, with `PUT`, `minimum_stock` of a part, `install_into` of an allocation to a build order, `line` and `shipment` of an allocation to a sales order, `shipment` of `allocate` and `allocate-serials`, `quantity` of a BOM line; `currency` of a company, names and `email` of an account, `part` of a line of a purchase order',
    off: 'the first ones are required, the others are not',
    on: 'the first ones are not required, the others are',
  },
  ownAddressesOnly: {
    topic: '`address` of an order',
    off: 'any address',
    on: 'one of the company of the order',
  },
  firstSupplierPartIsPrimary: {
    topic: 'first supplier part of a part',
    off: 'it is not primary unless `primary` says so',
    on: 'it becomes the primary one',
  },
  movesUncountedStock: {
    topic: '`POST /api/stock/transfer/` of stock whose status does not count as in stock, such as quarantined stock',
    off: '400, unless `STOCK_ALLOW_OUT_OF_STOCK_TRANSFER` is on',
    on: 'it moves',
  },
  scansShowObjects: {
    topic: 'object that a barcode operation found',
    off: 'its key and URLs',
    on: 'with the object itself, `instance`',
  },
  rejectsUnknownActions: {
    topic: '`POST /api/action/` without an action, or with one that no plugin offers',
    off: '200 with `error`',
    on: '400; 404',
  },
  emptyTexts: {
    topic: '`IPN` and `revision` of a new part, and `email` of a new company, without them',
    off: 'null',
    on: 'empty texts',
  },
  reportsDeleted: {
    topic: '`DELETE` of a list',
    off: '204; `filters` narrows the selection',
    on: '200 with `success`; `filters` is rejected, an unknown key is 400',
  },
  describesLists: {
    topic: '`OPTIONS`',
    off: 'fields of bodies',
    on: 'also fields of responses (`GET`)',
  },
  changedMetadata: {
    topic: 'labels, types, limits and defaults of fields in `OPTIONS`, and which of them are required or read-only',
    off: 'as in API 196',
    on: 'as in API 530',
  },
} satisfies Record<string, Switch>

/** Which switches are on. The rest of the service reads these, never the variables. */
export type Wire = Readonly<Record<keyof typeof formSwitches | keyof typeof apiSwitches, boolean>>

export const WIRE_FORMS = ['specification', 'inventree'] as const
export type WireForm = (typeof WIRE_FORMS)[number]

const setAll = (switches: Record<string, Switch>, isOn: boolean) =>
  Object.fromEntries(Object.keys(switches).map((name) => [name, isOn]))

export const API_VERSIONS = ['196', '530'] as const
export type ApiVersion = (typeof API_VERSIONS)[number]

/** The header by which a request asks for the form of one API version, whichever is configured: this program's own interface knows 196. */
export const API_VERSION_HEADER = 'x-api-version'

/** The switches that a wire form and, for existing clients, an API version set. */
export const readWire = (form: WireForm, api: ApiVersion = '196'): Wire =>
  Object.freeze({
    ...setAll(formSwitches, form === 'inventree'),
    ...setAll(apiSwitches, form === 'inventree' && api === '530'),
  }) as Wire

/** The switches of the default form, for operations that respond alike in both. */
export const SPECIFICATION_WIRE: Wire = readWire('specification')

const formatTable = (switches: Record<string, Switch>, [off, on]: readonly [string, string]): string =>
  [
    `| Topic | ${off} | ${on} | Switch |`,
    '|---|---|---|---|',
    ...Object.entries(switches).map(([name, entry]) => `| ${entry.topic} | ${entry.off} | ${entry.on} | \`${name}\` |`),
  ].join('\n')

/** The tables of these differences for docs/configuration.md, with the names by which the code reads them. */
export const formatFormTable = (): string => formatTable(formSwitches, WIRE_FORMS)
export const formatApiTable = (): string => formatTable(apiSwitches, API_VERSIONS)
