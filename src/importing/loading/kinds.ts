import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { isBuiltIn } from '../../plugins/index.ts'
import type { AttachmentTable } from '../../resources/attachment.columns.ts'
import { emailAddress } from '../../resources/auth/emails/email-address.table.ts'
import { bomItem } from '../../resources/bom/bom-item.table.ts'
import { toEnteredQuantity } from '../../resources/bom/entered-quantity.ts'
import { bomSubstitute } from '../../resources/bom/substitute/bom-substitute.table.ts'
import { buildAttachment } from '../../resources/build/attachment/build-attachment.table.ts'
import { buildOrder } from '../../resources/build/build.table.ts'
import { buildAllocation } from '../../resources/build/item/build-allocation.table.ts'
import { buildLine } from '../../resources/build/line/build-line.table.ts'
import { address } from '../../resources/company/address/address.table.ts'
import { companyAttachment } from '../../resources/company/attachment/company-attachment.table.ts'
import { company } from '../../resources/company/company.table.ts'
import { contact } from '../../resources/company/contact/contact.table.ts'
import { manufacturerPartAttachment } from '../../resources/company/part/manufacturer/attachment/manufacturer-part-attachment.table.ts'
import { manufacturerPart } from '../../resources/company/part/manufacturer/manufacturer-part.table.ts'
import { manufacturerPartParameter } from '../../resources/company/part/manufacturer/parameter/manufacturer-part-parameter.table.ts'
import { supplierPart } from '../../resources/company/part/supplier-part.table.ts'
import { supplierPriceBreak } from '../../resources/company/price-break/supplier-price-break.table.ts'
import { buildLineLabel, partLabel, stockItemLabel, stockLocationLabel } from '../../resources/label/label-template.table.ts'
import { newsEntry } from '../../resources/news/news-entry.table.ts'
import { notesImage } from '../../resources/notes-image-upload/notes-image.table.ts'
import { purchaseOrderAttachment } from '../../resources/order/po/attachment/po-attachment.table.ts'
import { purchaseOrder } from '../../resources/order/po/po.table.ts'
import { PURCHASE_ORDER } from '../../resources/order/po/po-kind.ts'
import { purchaseOrderExtraLine } from '../../resources/order/po-extra-line/po-extra-line.table.ts'
import { purchaseOrderLine } from '../../resources/order/po-line/po-line.table.ts'
import { returnOrderAttachment } from '../../resources/order/ro/attachment/ro-attachment.table.ts'
import { returnOrder } from '../../resources/order/ro/ro.table.ts'
import { RETURN_ORDER } from '../../resources/order/ro/ro-kind.ts'
import { returnOrderExtraLine } from '../../resources/order/ro-extra-line/ro-extra-line.table.ts'
import { returnOrderLine } from '../../resources/order/ro-line/ro-line.table.ts'
import { salesOrderAttachment } from '../../resources/order/so/attachment/so-attachment.table.ts'
import { salesOrderShipment } from '../../resources/order/so/shipment/shipment.table.ts'
import { salesOrder } from '../../resources/order/so/so.table.ts'
import { SALES_ORDER } from '../../resources/order/so/so-kind.ts'
import { salesOrderAllocation } from '../../resources/order/so-allocation/so-allocation.table.ts'
import { salesOrderExtraLine } from '../../resources/order/so-extra-line/so-extra-line.table.ts'
import { salesOrderLine } from '../../resources/order/so-line/so-line.table.ts'
import { transferOrder } from '../../resources/order/transfer-order/transfer-order.table.ts'
import { TRANSFER_ORDER } from '../../resources/order/transfer-order/transfer-order-kind.ts'
import { transferOrderAllocation } from '../../resources/order/transfer-order-allocation/transfer-order-allocation.table.ts'
import { transferOrderLine } from '../../resources/order/transfer-order-line/transfer-order-line.table.ts'
import { partAttachment } from '../../resources/part/attachment/part-attachment.table.ts'
import { categoryParameter } from '../../resources/part/category/parameters/category-parameter.table.ts'
import { partCategory, partCategoryStar } from '../../resources/part/category/part-category.table.ts'
import { internalPrice } from '../../resources/part/internal-price/internal-price.table.ts'
import { partParameter } from '../../resources/part/parameter/part-parameter.table.ts'
import { parameterTemplate } from '../../resources/part/parameter/template/parameter-template.table.ts'
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
  bomReport,
  buildReport,
  purchaseOrderReport,
  returnOrderReport,
  salesOrderReport,
  stockLocationReport,
  testReport,
} from '../../resources/report/report-template.table.ts'
import { reportSnippet } from '../../resources/report/snippet/report-snippet.table.ts'
import { setting } from '../../resources/settings/global/setting.table.ts'
import { notificationUserSetting } from '../../resources/settings/notification/notification-user-setting.table.ts'
import { userSetting } from '../../resources/settings/user/user-setting.table.ts'
import { stockItemAttachment } from '../../resources/stock/attachment/stock-item-attachment.table.ts'
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
import { SECOND_FACTOR_MODELS } from '../second-factors.ts'
import {
  allocationPresets,
  buildAllocationPresets,
  buildLinePresets,
  type Context,
  orderPresets,
  type Presets,
  parameterPresets,
  partPresets,
  stockPresets,
  supplierPartPresets,
  testTemplatePresets,
  transferAllocationPresets,
} from './presets.ts'

/** A kind of record, and the table that it is loaded into. */
export type Kind = {
  model: string
  table: PgTable
  /** Columns that refer to records of the same kind, such as the parent. The records that they refer to are loaded first. */
  parentColumns?: string[]
  /** Columns that are filled in once the records to which they refer are loaded. */
  deferredColumns?: string[]
  /**
   * A fresh database may hold rows of this kind. A row that equals a new one by this condition on `old` and `new` is replaced by it; other
   * rows get keys beyond those of the dump.
   */
  replaces?: string
  /**
   * Columns that identify an object when a dump is imported a second time: an object with the same key is the same if one of them matches.
   * Kinds without them are not compared.
   */
  identifiedBy?: string[]
  /** Values of columns that are not simply fields of the same name. */
  values?: (record: DumpRecord) => Record<string, unknown>
  /** Field names of columns, where they differ from the column's name. */
  fieldNames?: Record<string, string>
  /** Defaults of columns whose fields a record omits, where they differ from the column's own default. */
  presets?: (context: Context) => Presets | Promise<Presets>
  /** Throws InvalidRecord for errors that the database cannot check. */
  check?: (record: DumpRecord, context: Context) => unknown
}

/** All kinds that are loaded, in the order in which they refer to each other. */
export const kinds: Kind[] = [
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
  { model: 'common.inventreesetting', table: setting, replaces: 'old.key = new.key' },
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
  { model: 'common.customunit', identifiedBy: ['name'], table: customUnit },
  { model: 'stock.stocklocationtype', identifiedBy: ['name'], table: stockLocationType },
  { model: 'stock.stocklocation', identifiedBy: ['name'], table: stockLocation, parentColumns: ['parent'] },
  { model: 'company.company', identifiedBy: ['name'], table: company },
  { model: 'company.contact', identifiedBy: ['name'], table: contact },
  { model: 'company.address', identifiedBy: ['company'], table: address },
  { model: 'part.partcategory', identifiedBy: ['name'], table: partCategory, parentColumns: ['parent'] },
  {
    model: 'part.part',
    identifiedBy: ['IPN', 'name'],
    table: part,
    parentColumns: ['variant_of'],
    deferredColumns: ['default_supplier'],
    fieldNames: { responsible: 'responsible_owner' },
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
  { model: 'part.partparameter', table: partParameter, presets: parameterPresets },
  { model: 'part.partcategoryparametertemplate', table: categoryParameter },
  { model: 'part.partrelated', table: relatedPart },
  { model: 'part.parttesttemplate', identifiedBy: ['test_name'], table: testTemplate, presets: testTemplatePresets },
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
  { model: 'order.salesorder', identifiedBy: ['reference'], table: salesOrder, presets: orderPresets(SALES_ORDER) },
  { model: 'order.salesorderlineitem', identifiedBy: ['order'], table: salesOrderLine },
  { model: 'order.salesorderextraline', table: salesOrderExtraLine },
  { model: 'order.salesordershipment', identifiedBy: ['order'], table: salesOrderShipment },
  { model: 'build.build', identifiedBy: ['reference'], table: buildOrder, parentColumns: ['parent'] },
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
    model: 'stock.stockitemtracking',
    table: stockTracking,
    // an entry of an item has the part of the item
    values: ({ fields }) => ({ part: typeof fields.item === 'number' ? null : fields.part }),
    check: requireItemOrPart,
  },
  { model: 'stock.stockitemtestresult', table: stockItemTestResult },
  { model: 'common.newsfeedentry', table: newsEntry, replaces: 'old.feed_id = new.feed_id' },
  { model: 'common.notesimage', table: notesImage },
  createAttachmentKind('part.partattachment', partAttachment),
  createAttachmentKind('company.companyattachment', companyAttachment),
  createAttachmentKind('company.manufacturerpartattachment', manufacturerPartAttachment),
  createAttachmentKind('order.purchaseorderattachment', purchaseOrderAttachment),
  createAttachmentKind('order.salesorderattachment', salesOrderAttachment),
  createAttachmentKind('order.returnorderattachment', returnOrderAttachment),
  createAttachmentKind('stock.stockitemattachment', stockItemAttachment),
  createAttachmentKind('build.buildorderattachment', buildAttachment),
  createLabelKind('partlabel', partLabel),
  createLabelKind('stockitemlabel', stockItemLabel),
  createLabelKind('stocklocationlabel', stockLocationLabel),
  createLabelKind('buildlinelabel', buildLineLabel),
  createReportKind('billofmaterialsreport', bomReport),
  createReportKind('buildreport', buildReport),
  createReportKind('purchaseorderreport', purchaseOrderReport),
  createReportKind('salesorderreport', salesOrderReport),
  createReportKind('returnorderreport', returnOrderReport),
  createReportKind('stocklocationreport', stockLocationReport),
  createReportKind('testreport', testReport),
  { model: 'report.reportasset', table: reportAsset, values: ({ fields }) => ({ filename: getFileName(fields.asset) }) },
  { model: 'report.reportsnippet', table: reportSnippet, values: ({ fields }) => ({ filename: getFileName(fields.snippet) }) },
]

/** The kind of an attachment table. Attachments are named after their files. */
function createAttachmentKind(model: string, table: AttachmentTable): Kind {
  return { model, table, values: ({ fields }) => ({ filename: getFileName(fields.attachment ?? '') }) }
}

/**
 * The kind of a label template table. Templates of InvenTree replace the ones that come with this service, whose files have the same paths.
 */
function createLabelKind(model: string, table: PgTable): Kind {
  return { model: `label.${model}`, table, replaces: 'old.label = new.label' }
}

function createReportKind(model: string, table: PgTable): Kind {
  return { model: `report.${model}`, table, replaces: 'old.template = new.template' }
}

/** The file name at the end of a path. */
function getFileName(path: unknown): string | undefined {
  return typeof path === 'string' ? path.slice(path.lastIndexOf('/') + 1) : undefined
}

/** Records that are part of others and loaded with them. */
export const tagModels = ['taggit.tag', 'taggit.taggeditem']

/** Reason why records of a planned kind are not loaded. */
export const NOT_IMPORTED_YET = 'not yet'

/** Explains why the records of a model are not loaded. */
export function explainUnsupported(model: string): string {
  if (model === 'users.apitoken') return 'keys are not imported'
  if (SECOND_FACTOR_MODELS.has(model)) return 'their keys cannot be read'
  if (model === 'label.labeloutput') return 'printed labels are not imported'
  const [app = ''] = model.split('.')
  return ['build', 'common', 'company', 'label', 'machine', 'order', 'part', 'plugin', 'report', 'stock', 'users'].includes(app)
    ? NOT_IMPORTED_YET
    : 'not supported'
}

/** Rejects a history entry that belongs to nothing. */
function requireItemOrPart({ fields }: DumpRecord): void {
  if (typeof fields.item !== 'number' && typeof fields.part !== 'number')
    throw new InvalidRecord('it has neither an item nor a part')
}

/** The name of a kind's table, quoted. */
export const getQuotedTable = (kind: Kind): string => `"${getTableName(kind.table)}"`

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
