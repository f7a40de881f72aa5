// Over 400 lines: it lists every kind of record that an import loads, in the order in which they refer to each other.
import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Resource } from '../../kit/definition/resource.ts'
import { isBuiltIn } from '../../plugins/index.ts'
import { isTemplateModel } from '../../printing/kinds.ts'
import { attachment } from '../../resources/attachment/attachment.table.ts'
import {
  ATTACHMENT_MODELS,
  ATTACHMENT_OWNERS,
  type AttachmentOwner,
  findAttachmentOwner,
} from '../../resources/attachment/attachment-models.ts'
import {
  type AttachmentView,
  buildAttachments,
  companyAttachments,
  manufacturerPartAttachments,
  partAttachments,
  purchaseOrderAttachments,
  returnOrderAttachments,
  salesOrderAttachments,
  stockItemAttachments,
} from '../../resources/attachment/attachment-views.ts'
import { emailAddress } from '../../resources/auth/emails/email-address.table.ts'
import { barcodeScan } from '../../resources/barcode/history/barcode-scan.table.ts'
import { bomItem } from '../../resources/bom/bom-item.table.ts'
import { toEnteredQuantity } from '../../resources/bom/entered-quantity.ts'
import { bomSubstitute } from '../../resources/bom/substitute/bom-substitute.table.ts'
import { buildOrder } from '../../resources/build/build.table.ts'
import { buildAllocation } from '../../resources/build/item/build-allocation.table.ts'
import { buildLine } from '../../resources/build/line/build-line.table.ts'
import { address } from '../../resources/company/address/address.table.ts'
import { company } from '../../resources/company/company.table.ts'
import { contact } from '../../resources/company/contact/contact.table.ts'
import { manufacturerPart } from '../../resources/company/part/manufacturer/manufacturer-part.table.ts'
import { manufacturerPartParameter } from '../../resources/company/part/manufacturer/parameter/manufacturer-part-parameter.table.ts'
import { supplierPart } from '../../resources/company/part/supplier-part.table.ts'
import { supplierPriceBreak } from '../../resources/company/price-break/supplier-price-break.table.ts'
import { STATUSES } from '../../resources/generic/status/custom/custom-state.resource.ts'
import { customState } from '../../resources/generic/status/custom/custom-state.table.ts'
import type { StatusName } from '../../resources/generic/status/custom/custom-states.ts'
import { resources } from '../../resources/index.ts'
import { buildLineLabels, partLabels, stockItemLabels, stockLocationLabels } from '../../resources/label/label-views.ts'
import { labelTemplate } from '../../resources/label/template/label-template.table.ts'
import { newsEntry } from '../../resources/news/news-entry.table.ts'
import { notesImage } from '../../resources/notes-image-upload/notes-image.table.ts'
import { purchaseOrder } from '../../resources/order/po/po.table.ts'
import { PURCHASE_ORDER } from '../../resources/order/po/po-kind.ts'
import { purchaseOrderExtraLine } from '../../resources/order/po-extra-line/po-extra-line.table.ts'
import { purchaseOrderLine } from '../../resources/order/po-line/po-line.table.ts'
import { returnOrder } from '../../resources/order/ro/ro.table.ts'
import { RETURN_ORDER } from '../../resources/order/ro/ro-kind.ts'
import { returnOrderExtraLine } from '../../resources/order/ro-extra-line/ro-extra-line.table.ts'
import { returnOrderLine } from '../../resources/order/ro-line/ro-line.table.ts'
import { salesOrderShipment } from '../../resources/order/so/shipment/shipment.table.ts'
import { salesOrder } from '../../resources/order/so/so.table.ts'
import { SALES_ORDER } from '../../resources/order/so/so-kind.ts'
import { SO_STATUS } from '../../resources/order/so/so-status.ts'
import { salesOrderAllocation } from '../../resources/order/so-allocation/so-allocation.table.ts'
import { salesOrderExtraLine } from '../../resources/order/so-extra-line/so-extra-line.table.ts'
import { salesOrderLine } from '../../resources/order/so-line/so-line.table.ts'
import { transferOrder } from '../../resources/order/transfer-order/transfer-order.table.ts'
import { TRANSFER_ORDER } from '../../resources/order/transfer-order/transfer-order-kind.ts'
import { transferOrderAllocation } from '../../resources/order/transfer-order-allocation/transfer-order-allocation.table.ts'
import { transferOrderLine } from '../../resources/order/transfer-order-line/transfer-order-line.table.ts'
import { parameter } from '../../resources/parameter/parameter.table.ts'
import {
  findParameterOwner,
  PARAMETER_MODELS,
  PARAMETER_OWNERS,
  type ParameterOwner,
} from '../../resources/parameter/parameter-models.ts'
import { parameterTemplate } from '../../resources/parameter/template/parameter-template.table.ts'
import { categoryParameter } from '../../resources/part/category/parameters/category-parameter.table.ts'
import { partCategory, partCategoryStar } from '../../resources/part/category/part-category.table.ts'
import { internalPrice } from '../../resources/part/internal-price/internal-price.table.ts'
import { part } from '../../resources/part/part.table.ts'
import { partStar } from '../../resources/part/part-star.table.ts'
import { partPricing } from '../../resources/part/pricing/part-pricing.table.ts'
import { relatedPart } from '../../resources/part/related/related-part.table.ts'
import { salePrice } from '../../resources/part/sale-price/sale-price.table.ts'
import { partStocktake } from '../../resources/part/stocktake/part-stocktake.table.ts'
import { stocktakeReport } from '../../resources/part/stocktake/report/stocktake-report.table.ts'
import { testTemplate } from '../../resources/part/test-template/test-template.table.ts'
import { pluginConfig } from '../../resources/plugins/plugin-config.table.ts'
import { pluginSetting } from '../../resources/plugins/plugin-setting.table.ts'
import { pluginUserSetting } from '../../resources/plugins/plugin-user-setting.table.ts'
import { projectCode } from '../../resources/project-code/project-code.table.ts'
import { reportAsset } from '../../resources/report/asset/report-asset.table.ts'
import {
  bomReports,
  buildReports,
  purchaseOrderReports,
  returnOrderReports,
  salesOrderReports,
  stockLocationReports,
  testReports,
} from '../../resources/report/report-views.ts'
import { reportSnippet } from '../../resources/report/snippet/report-snippet.table.ts'
import { reportTemplate } from '../../resources/report/template/report-template.table.ts'
import { selectionEntry } from '../../resources/selection/entry/selection-entry.table.ts'
import { selectionList } from '../../resources/selection/selection-list.table.ts'
import { setting } from '../../resources/settings/global/setting.table.ts'
import { notificationUserSetting } from '../../resources/settings/notification/notification-user-setting.table.ts'
import { userSetting } from '../../resources/settings/user/user-setting.table.ts'
import { stockLocation } from '../../resources/stock/location/stock-location.table.ts'
import { stockLocationType } from '../../resources/stock/location-type/stock-location-type.table.ts'
import { stockItem } from '../../resources/stock/stock-item.table.ts'
import { stockItemTestResult } from '../../resources/stock/test/stock-item-test-result.table.ts'
import { stockTracking } from '../../resources/stock/track/stock-tracking.table.ts'
import { customUnit } from '../../resources/units/custom-unit.table.ts'
import { ruleSet, userGroup } from '../../resources/user/group/user-group.table.ts'
import { userProfile } from '../../resources/user/me/profile/user-profile.table.ts'
import { owner } from '../../resources/user/owner/owner.table.ts'
import { userAccount } from '../../resources/user/user-account.table.ts'
import { type DumpRecord, InvalidRecord, normalizeModelName } from '../reading/record.ts'
import type { Relations } from '../reading/relations.ts'
import { SECOND_FACTOR_MODELS } from '../second-factors.ts'
import {
  allocationPresets,
  buildAllocationPresets,
  buildLinePresets,
  buildPresets,
  type Context,
  orderPresets,
  type Presets,
  parameterPresets,
  partParameterPresets,
  partPresets,
  stockPresets,
  supplierPartPresets,
  testResultPresets,
  testTemplatePresets,
  transferAllocationPresets,
} from './presets.ts'

/** A kind of record, and the table that it is loaded into. */
export type RecordKind = {
  model: string
  table: PgTable
  /** Columns that refer to records of the same kind, such as the parent. The records that they refer to are loaded first. */
  parentColumns?: string[]
  /** Columns that are filled in once the records to which they refer are loaded. */
  deferredColumns?: string[]
  /** Their values, for records that do not have them as fields. */
  deferredValues?: (record: DumpRecord, relations: Relations) => Record<string, unknown>
  /**
   * A fresh database may hold rows of this kind. A row that equals a new one by this condition on `old` and `new` is replaced; other
   * rows get keys beyond those of the dump.
   */
  replaces?: string
  /**
   * Columns that identify an object when a dump is imported a second time: an object with the same key is the same if one of them matches.
   * Kinds without them are not compared.
   */
  identifiedBy?: string[]
  /** Whether an import adds rows that records of other kinds need. */
  addsRows?: boolean
  /** Values of columns that are not simply fields of the same name. */
  values?: (record: DumpRecord) => Record<string, unknown>
  /** Field names of columns, where they differ from the column's name. */
  fieldNames?: Record<string, string>
  /** Field names of columns in some releases, where others have a field of the column's name. */
  fieldNamesOfOtherReleases?: Record<string, string>
  /** Defaults of columns whose fields a record omits, where they differ from the column's own default. */
  presets?: (context: Context) => Presets | Promise<Presets>
  /** The table and the key of the object that a row belongs to. InvenTree keeps rows of deleted objects, which are left out. */
  findOwner?: (row: Record<string, unknown>) => { table: string; pk: unknown }
  /** Why a valid record is left out; undefined for one that is loaded. */
  explainLeftOut?: (record: DumpRecord) => string | undefined
  /** Throws InvalidRecord for errors that the database cannot check. */
  check?: (record: DumpRecord, context: Context) => unknown
}

/** All kinds that are loaded, in the order in which they refer to each other. */
export const kinds: RecordKind[] = [
  { model: 'auth.group', identifiedBy: ['name'], table: userGroup, replaces: 'old.name = new.name' },
  {
    model: 'auth.user',
    identifiedBy: ['username'],
    table: userAccount,
    replaces: 'lower(old.username) = lower(new.username)',
    fieldNames: { group: 'groups' },
    check: (record, { relations }) => relations.getGroupKeys(record),
  },
  { model: 'users.ruleset', table: ruleSet, replaces: 'old."group" = new."group" and old.name = new.name' },
  {
    model: 'users.owner',
    identifiedBy: ['user', 'group'],
    table: owner,
    replaces: 'old."user" = new."user" or old."group" = new."group"',
    fieldNames: { user: 'owner_id', group: 'owner_id' },
    values: ({ fields }) => ({ [getOwnerColumn(fields.owner_type)]: fields.owner_id }),
  },
  { model: 'users.userprofile', table: userProfile, replaces: 'old."user" = new."user"' },
  {
    model: 'account.emailaddress',
    table: emailAddress,
    replaces: 'lower(old.email) = lower(new.email) and (old."user" = new."user" or (old.verified and new.verified))',
  },
  {
    model: 'common.inventreesetting',
    table: setting,
    replaces: 'old.key = new.key',
    // current releases have another name for it
    values: ({ fields }) => (fields.key === 'PARAMETER_ENFORCE_UNITS' ? { key: 'PART_PARAMETER_ENFORCE_UNITS' } : {}),
  },
  { model: 'common.inventreeusersetting', table: userSetting, replaces: 'old."user" = new."user" and old.key = new.key' },
  {
    model: 'plugin.notificationusersetting',
    table: notificationUserSetting,
    replaces: 'old."user" = new."user" and old.method = new.method and old.key = new.key',
  },
  {
    model: 'plugin.pluginconfig',
    table: pluginConfig,
    replaces: 'old.key = new.key',
    // a plugin of InvenTree is another program here, and is enabled manually
    values: ({ fields }) => ({ active: fields.active === true && isBuiltIn(fields.key) }),
  },
  { model: 'plugin.pluginsetting', table: pluginSetting, replaces: 'old.plugin = new.plugin and old.key = new.key' },
  {
    model: 'plugin.pluginusersetting',
    table: pluginUserSetting,
    replaces: 'old.plugin = new.plugin and old."user" = new."user" and old.key = new.key',
  },
  { model: 'common.projectcode', identifiedBy: ['code'], table: projectCode },
  { model: 'common.selectionlist', identifiedBy: ['name'], table: selectionList, deferredColumns: ['default'] },
  { model: 'common.selectionlistentry', identifiedBy: ['value'], table: selectionEntry },
  {
    model: 'common.customunit',
    identifiedBy: ['name'],
    table: customUnit,
    check: ({ fields, pk }, { relations }) => relations.requireUnit(pk, fields.definition),
  },
  {
    model: 'common.inventreecustomuserstatemodel',
    identifiedBy: ['key'],
    table: customState,
    explainLeftOut: ({ fields }) =>
      fields.reference_status === 'ReturnOrderLineStatus'
        ? 'of outcomes of returned items, which have no custom states'
        : undefined,
    check: checkState,
  },
  { model: 'stock.stocklocationtype', identifiedBy: ['name'], table: stockLocationType },
  {
    model: 'stock.stocklocation',
    identifiedBy: ['name'],
    table: stockLocation,
    parentColumns: ['parent'],
    // its name until 0.12
    ...nameAlso('custom_icon', 'icon'),
  },
  { model: 'company.company', identifiedBy: ['name'], table: company },
  { model: 'company.contact', identifiedBy: ['name'], table: contact },
  { model: 'company.address', identifiedBy: ['company'], table: address },
  {
    model: 'part.partcategory',
    identifiedBy: ['name'],
    table: partCategory,
    parentColumns: ['parent'],
    // its name since 0.16
    ...nameAlso('icon', '_icon'),
  },
  {
    model: 'part.part',
    identifiedBy: ['IPN', 'name'],
    table: part,
    parentColumns: ['variant_of'],
    deferredColumns: ['default_supplier', 'revision_of'],
    // InvenTree 1.2 and later names the primary supplier part only there
    deferredValues: ({ pk }, relations) => ({ default_supplier: relations.getPrimarySupplierPart(pk) }),
    fieldNames: { responsible: 'responsible_owner' },
    // until 0.12 a part has a responsible user, from whom the preset finds the owner
    values: ({ fields }) => ({ responsible: fields.responsible_owner }),
    presets: partPresets,
  },
  { model: 'company.manufacturerpart', identifiedBy: ['MPN'], table: manufacturerPart },
  { model: 'company.manufacturerpartparameter', table: manufacturerPartParameter },
  { model: 'company.supplierpart', identifiedBy: ['SKU'], table: supplierPart, presets: supplierPartPresets },
  { model: 'company.supplierpricebreak', table: supplierPriceBreak },
  { model: 'part.partpricing', table: partPricing, check: checkCurrency },
  { model: 'part.partinternalpricebreak', table: internalPrice },
  { model: 'part.partsellpricebreak', table: salePrice },
  { model: 'part.partparametertemplate', identifiedBy: ['name'], table: parameterTemplate },
  { model: 'part.partparameter', table: parameter, presets: partParameterPresets },
  {
    model: 'common.parametertemplate',
    identifiedBy: ['name'],
    table: parameterTemplate,
    values: ({ fields }) => ({ model_type: readParameterModel(fields.model_type) }),
  },
  {
    model: 'part.partcategoryparametertemplate',
    table: categoryParameter,
    fieldNames: { parameter_template: 'template' },
    values: ({ fields }) => ({ parameter_template: fields.parameter_template ?? fields.template }),
  },
  { model: 'part.partrelated', table: relatedPart },
  {
    model: 'part.parttesttemplate',
    identifiedBy: ['test_name'],
    table: testTemplate,
    presets: testTemplatePresets,
    addsRows: true,
  },
  {
    model: 'part.bomitem',
    identifiedBy: ['sub_part'],
    table: bomItem,
    fieldNames: { entered_quantity: 'raw_amount' },
    values: ({ fields }) => ({
      entered_quantity: typeof fields.raw_amount === 'string' ? toEnteredQuantity(fields.raw_amount) : null,
    }),
  },
  { model: 'part.bomitemsubstitute', table: bomSubstitute },
  { model: 'part.partstar', table: partStar },
  { model: 'part.partcategorystar', table: partCategoryStar },
  { model: 'part.partstocktake', table: partStocktake },
  { model: 'part.partstocktakereport', table: stocktakeReport },
  { model: 'order.purchaseorder', identifiedBy: ['reference'], table: purchaseOrder, presets: orderPresets(PURCHASE_ORDER) },
  { model: 'order.purchaseorderextraline', table: purchaseOrderExtraLine },
  {
    model: 'order.salesorder',
    identifiedBy: ['reference'],
    table: salesOrder,
    // since 0.16 a shipped order can be marked as complete, too: here both are one status
    values: ({ fields }) => (fields.status === 30 ? { status: SO_STATUS.SHIPPED.key } : {}),
    presets: orderPresets(SALES_ORDER),
  },
  { model: 'order.salesorderlineitem', identifiedBy: ['order'], table: salesOrderLine },
  { model: 'order.salesorderextraline', table: salesOrderExtraLine },
  { model: 'order.salesordershipment', identifiedBy: ['order'], table: salesOrderShipment },
  { model: 'build.build', identifiedBy: ['reference'], table: buildOrder, parentColumns: ['parent'], presets: buildPresets },
  { model: 'order.purchaseorderlineitem', table: purchaseOrderLine },
  {
    model: 'stock.stockitem',
    identifiedBy: ['part'],
    table: stockItem,
    parentColumns: ['parent', 'belongs_to'],
    presets: stockPresets,
    check: (record, { relations }) => relations.claimSerial(record),
  },
  { model: 'order.salesorderallocation', table: salesOrderAllocation, presets: allocationPresets },
  { model: 'build.buildline', table: buildLine, presets: buildLinePresets },
  { model: 'build.builditem', table: buildAllocation, presets: buildAllocationPresets },
  {
    model: 'order.transferorder',
    identifiedBy: ['reference'],
    table: transferOrder,
    presets: orderPresets(TRANSFER_ORDER),
  },
  { model: 'order.transferorderlineitem', identifiedBy: ['order'], table: transferOrderLine },
  { model: 'order.transferorderallocation', table: transferOrderAllocation, presets: transferAllocationPresets },
  { model: 'order.returnorder', identifiedBy: ['reference'], table: returnOrder, presets: orderPresets(RETURN_ORDER) },
  { model: 'order.returnorderlineitem', table: returnOrderLine },
  { model: 'order.returnorderextraline', table: returnOrderExtraLine },
  {
    model: 'common.parameter',
    table: parameter,
    fieldNames: Object.fromEntries(PARAMETER_OWNERS.map((owner) => [owner, 'model_id'])),
    values: ({ fields }) => ({ [requireParameterOwner(fields.model_type)]: fields.model_id }),
    presets: parameterPresets,
  },
  {
    model: 'stock.stockitemtracking',
    table: stockTracking,
    // an entry of an item has the part of the item
    values: ({ fields }) => ({ part: typeof fields.item === 'number' ? null : fields.part }),
    check: requireItemOrPart,
  },
  {
    model: 'stock.stockitemtestresult',
    table: stockItemTestResult,
    // until 0.13 a result names its test
    fieldNamesOfOtherReleases: { template: 'test' },
    presets: testResultPresets,
  },
  { model: 'common.newsfeedentry', table: newsEntry, replaces: 'old.feed_id = new.feed_id' },
  { model: 'common.notesimage', table: notesImage },
  { model: 'common.barcodescanresult', table: barcodeScan, values: readScan },
  {
    model: 'common.attachment',
    table: attachment,
    fieldNames: { user: 'upload_user', ...Object.fromEntries(ATTACHMENT_OWNERS.map((owner) => [owner, 'model_id'])) },
    values: ({ fields }) => ({
      [getAttachmentOwner(fields.model_type)]: fields.model_id,
      user: fields.upload_user,
      filename: getFileName(fields.attachment ?? ''),
      // the size of a file is read later, unless the dump has it
      file_size: fields.file_size || (fields.attachment ? null : 0),
    }),
    findOwner(row) {
      const owner = getAttachmentOwner(row.model_type) as AttachmentOwner
      return { table: getTableName(ATTACHMENT_MODELS[owner].table()), pk: row[owner] }
    },
  },
  { model: 'report.labeltemplate', table: labelTemplate, replaces: 'old.template = new.template', check: checkTemplateModel },
  { model: 'report.reporttemplate', table: reportTemplate, replaces: 'old.template = new.template', check: checkTemplateModel },
  createAttachmentKind('part.partattachment', partAttachments),
  createAttachmentKind('company.companyattachment', companyAttachments),
  createAttachmentKind('company.manufacturerpartattachment', manufacturerPartAttachments),
  createAttachmentKind('order.purchaseorderattachment', purchaseOrderAttachments),
  createAttachmentKind('order.salesorderattachment', salesOrderAttachments),
  createAttachmentKind('order.returnorderattachment', returnOrderAttachments),
  createAttachmentKind('stock.stockitemattachment', stockItemAttachments),
  createAttachmentKind('build.buildorderattachment', buildAttachments),
  createLabelKind('partlabel', partLabels),
  createLabelKind('stockitemlabel', stockItemLabels),
  createLabelKind('stocklocationlabel', stockLocationLabels),
  createLabelKind('buildlinelabel', buildLineLabels),
  createReportKind('billofmaterialsreport', bomReports),
  createReportKind('buildreport', buildReports),
  createReportKind('purchaseorderreport', purchaseOrderReports),
  createReportKind('salesorderreport', salesOrderReports),
  createReportKind('returnorderreport', returnOrderReports),
  createReportKind('stocklocationreport', stockLocationReports),
  createReportKind('testreport', testReports),
  { model: 'report.reportasset', table: reportAsset, values: ({ fields }) => ({ filename: getFileName(fields.asset) }) },
  { model: 'report.reportsnippet', table: reportSnippet, values: ({ fields }) => ({ filename: getFileName(fields.snippet) }) },
]

/** Takes a column from a field of another name too, which some releases have instead. */
function nameAlso(column: string, field: string): Pick<RecordKind, 'fieldNamesOfOtherReleases' | 'values'> {
  return {
    fieldNamesOfOtherReleases: { [column]: field },
    values: ({ fields }) => ({ [column]: fields[column] ?? fields[field] }),
  }
}

/** Operations of the history of scans, by the paths of their requests. */
const SCAN_ACTIONS: Readonly<Record<string, string>> = {
  link: 'link',
  unlink: 'unlink',
  'po-allocate': 'order',
  'po-receive': 'receive',
  'so-allocate': 'allocate',
}

/** A scan as the history of scans stores it: with the operation that its endpoint names, and no undo. */
function readScan({ fields }: DumpRecord): Record<string, unknown> {
  const endpoint = String(fields.endpoint ?? '').slice(0, 50)
  const operation = /^\/api\/barcode\/([\w-]+)\/$/.exec(endpoint)?.[1] ?? ''
  return { endpoint, action: SCAN_ACTIONS[operation] ?? 'scan', status: fields.result === true ? 200 : 400 }
}

/** The kind of an attachment table. Attachments are named after their files. */
function createAttachmentKind(model: string, table: AttachmentView): RecordKind {
  // the size of a file is read later
  const values = ({ fields }: DumpRecord) => ({
    filename: getFileName(fields.attachment ?? ''),
    file_size: fields.attachment ? null : 0,
    is_image: false,
  })
  return { model, table, values }
}

/**
 * The kind of a label template table. Templates of InvenTree replace the ones that come with this service, whose files have the same paths.
 */
function createLabelKind(model: string, table: PgTable): RecordKind {
  return { model: `label.${model}`, table, replaces: 'old.label = new.label' }
}

function createReportKind(model: string, table: PgTable): RecordKind {
  return { model: `report.${model}`, table, replaces: 'old.template = new.template' }
}

/** The column of `attachment` for this kind of object. */
function getAttachmentOwner(model: unknown): string {
  const owner = findAttachmentOwner(model)
  if (owner === undefined) throw new InvalidRecord(`model_type ${JSON.stringify(model)} has no attachments`)
  return owner
}

function checkTemplateModel({ fields }: DumpRecord): void {
  if (!isTemplateModel(fields.model_type))
    throw new InvalidRecord(`model_type ${JSON.stringify(fields.model_type)} has no templates`)
}

/** The file name at the end of a path. */
function getFileName(path: unknown): string | undefined {
  return typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : undefined
}

/** Records that are part of others and loaded with them. */
export const tagModels = ['taggit.tag', 'taggit.taggeditem']

/** Reason why records of a planned kind are not loaded. */
export const NOT_IMPORTED_YET = 'not yet'

/** Models that are not loaded on purpose. */
const UNSUPPORTED: readonly (readonly [model: RegExp, reason: string])[] = [
  [/^users\.apitoken$/, 'keys are not imported'],
  [/^(label|report)\.(label|report)output$/, 'printed documents are not imported'],
  [/^common\.dataoutput$/, 'files made for a download are not imported'],
  [/^importer\./, 'unfinished imports of spreadsheets are not imported'],
  [/^common\.notification/, 'notifications are not imported'],
  [/^common\.email/, 'the log of mails is not imported'],
  [/^common\.webhook/, 'addresses that received messages of other programs are not imported'],
  [/^common\.colortheme$/, 'colors of an earlier interface'],
  [/^machine\./, 'drivers of printers are other programs here: add the printers again'],
]

/** Explains why the records of a model are not loaded. */
export function explainUnsupported(model: string): string {
  const reason = UNSUPPORTED.find(([pattern]) => pattern.test(model))?.[1]
  if (reason !== undefined) return reason
  if (SECOND_FACTOR_MODELS.has(model)) return 'their keys cannot be read'
  const [app = ''] = model.split('.')
  return ['build', 'common', 'company', 'order', 'part', 'plugin', 'report', 'stock', 'users'].includes(app)
    ? NOT_IMPORTED_YET
    : 'not supported'
}

/** The resource whose list shows the rows of a kind; undefined for a table without a list. */
export const findResource = (kind: RecordKind): Resource | undefined =>
  resources.find(({ table, rows }) => table === kind.table && !rows)

/** Rejects a custom state of a status that has none, or with a logical status that does not exist. */
function checkState({ fields }: DumpRecord): void {
  const { reference_status: name, logical_key: key } = fields
  const status = Object.hasOwn(STATUSES, String(name)) ? STATUSES[name as StatusName] : undefined
  if (!status) throw new InvalidRecord(`reference_status ${JSON.stringify(name)} has no custom states`)
  if (!Object.values(status.codes).some((code) => code.key === key))
    throw new InvalidRecord(`logical_key ${JSON.stringify(key)} is not a status of ${name}`)
}

/** Rejects a history entry that belongs to nothing. */
function requireItemOrPart({ fields }: DumpRecord): void {
  if (typeof fields.item !== 'number' && typeof fields.part !== 'number')
    throw new InvalidRecord('it has neither an item nor a part')
}

/** The name of a kind's table, quoted. */
export const getQuotedTable = (kind: RecordKind): string => `"${getTableName(kind.table)}"`

function getOwnerColumn(type: unknown): string {
  const name = Array.isArray(type) ? normalizeModelName(type) : undefined
  if (name === 'auth.user') return 'user'
  if (name === 'auth.group') return 'group'
  throw new InvalidRecord(`owner_type ${JSON.stringify(type)} is neither ["auth", "user"] nor ["auth", "group"]`)
}

/** Rejects prices of a part in several currencies. Only overrides may have another currency. */
function checkCurrency({ fields }: DumpRecord, { settings }: Context): void {
  const getCurrency = (name: string) => fields[name] || settings.get('INVENTREE_DEFAULT_CURRENCY')
  for (const [name, amount] of Object.entries(fields)) {
    if (amount === null || name.startsWith('override_') || !/_(min|max)$/.test(name)) continue
    const currency = getCurrency(`${name}_currency`)
    if (currency !== getCurrency('currency'))
      throw new InvalidRecord(`${name}_currency ${currency} is not the currency ${getCurrency('currency')}`)
  }
}

/** The kind of object of a parameter. */
function requireParameterOwner(model: unknown): ParameterOwner {
  const owner = findParameterOwner(normalizeModelName(model))
  if (!owner) throw new InvalidRecord(`model_type: objects of the kind ${JSON.stringify(model)} have no parameters`)
  return owner
}

/** The kind of object of a parameter template, in its form on the wire; null for any. */
const readParameterModel = (model: unknown): string | null =>
  model === null || model === undefined ? null : PARAMETER_MODELS[requireParameterOwner(model)].model
