import { reference, type Shape, text } from '../../kit/definition/input.ts'
import type { Body, Resource, WriteRequest } from '../../kit/definition/resource.ts'
import { type Caller, type Right, requireAccess } from '../../kit/request/caller.ts'
import { parseBodyWithin } from '../../kit/writing/read-body.ts'
import { create, getWriteShape } from '../../kit/writing/write.ts'
import type { FieldWords } from '../../spreadsheets/field-words.ts'
import type { HeadingField } from '../../spreadsheets/heading-words.ts'
import { bomItem } from '../bom/bom-item.resource.ts'
import { address } from '../company/address/address.resource.ts'
import { company } from '../company/company.resource.ts'
import { contact } from '../company/contact/contact.resource.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.resource.ts'
import { supplierPart } from '../company/part/supplier-part.resource.ts'
import { supplierPriceBreak } from '../company/price-break/supplier-price-break.resource.ts'
import { customState } from '../generic/status/custom/custom-state.resource.ts'
import { purchaseOrder } from '../order/po/po.resource.ts'
import { purchaseOrderExtraLine } from '../order/po-extra-line/po-extra-line.resource.ts'
import { purchaseOrderLine } from '../order/po-line/po-line.resource.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { returnOrderExtraLine } from '../order/ro-extra-line/ro-extra-line.resource.ts'
import { returnOrderLine } from '../order/ro-line/ro-line.resource.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { salesOrderExtraLine } from '../order/so-extra-line/so-extra-line.resource.ts'
import { salesOrderLine } from '../order/so-line/so-line.resource.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.resource.ts'
import { transferOrderLine } from '../order/transfer-order-line/transfer-order-line.resource.ts'
import { parameter } from '../parameter/parameter.resource.ts'
import { parameterTemplate } from '../parameter/template/parameter-template.resource.ts'
import { categoryParameter } from '../part/category/parameters/category-parameter.resource.ts'
import { partCategory } from '../part/category/part-category.resource.ts'
import { internalPrice } from '../part/internal-price/internal-price.resource.ts'
import { part } from '../part/part.resource.ts'
import { salePrice } from '../part/sale-price/sale-price.resource.ts'
import { testTemplate } from '../part/test-template/test-template.resource.ts'
import { projectCode } from '../project-code/project-code.resource.ts'
import { createItemsOfBody, getNewStockShape } from '../stock/create-stock.action.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { historyWrites, MAX_HISTORY_NOTES } from '../stock/movement/stock-history.ts'
import { stockItem } from '../stock/stock-item.resource.ts'
import { stockItem as stockItemTable } from '../stock/stock-item.table.ts'
import { stockItemTestResult } from '../stock/test/stock-item-test-result.resource.ts'
import { stockTracking } from '../stock/track/stock-tracking.resource.ts'
import { tag } from '../tag/tag.resource.ts'
import { unit } from '../units/custom-unit.resource.ts'

/** A type of objects that can be imported. */
export type ImportModel = {
  /** The name by which clients know it: `part`. */
  type: string
  title: string
  /** What existing clients know as its serializer. */
  serializer: string
  resource: Resource
  /** The fields of a new object; those of the resource by default. */
  shape?: () => Shape
  /** Creates an object in another way than the resource does, as its POST does. Returns its key. */
  create?: (request: WriteRequest) => Promise<number>
  /** The words of headings by field, where the name of the field is not enough. */
  words?: Readonly<Record<string, readonly (FieldWords | HeadingField)[]>>
  /**
   * Values that at most one of several objects created together may have, because the rules of each read the database. Types with it are created
   * in few statements.
   */
  listUniqueValues?: (body: Body) => readonly string[]
}

type Options = Omit<ImportModel, 'type' | 'title' | 'serializer' | 'resource'> & { type?: string }

const model = (
  resource: Resource,
  title: string,
  serializer: string,
  { type = resource.model, ...rest }: Options = {},
): ImportModel => ({
  type,
  title,
  serializer,
  resource,
  ...rest,
})

const PART_WORDS = ['part_ipn', 'part_name', 'part'] as const
const PRICE = { price: ['price'], price_currency: ['currency'] } as const
const LINE = { ...PRICE, order: ['order'], quantity: ['quantity'], notes: ['note'], reference: [] } as const
const STOCK_PART = { part: PART_WORDS } as const

const trackingShape: Shape = {
  item: reference(() => stockItemTable, {
    required: true,
    options: { model: 'stockitem', api_url: '/api/stock/' },
    label: 'Stock Item',
    help: 'The stock item whose history gets the entry.',
  }),
  notes: text({ max: MAX_HISTORY_NOTES, help: 'What the entry says.' }),
}

/** Adds an entry without a change to the history of an item, under the account of the caller. */
async function createHistoryEntry(request: WriteRequest): Promise<number> {
  const { tx, services, caller, body } = request
  const { item, notes } = (await parseBodyWithin(tx, services, trackingShape, body)) as { item: number; notes?: string }
  await tx.query('select from stock_item where pk = $1 for share', [item])
  await tx.pipeline(...historyWrites({ caller }, [{ type: 'LEGACY', item, notes }]))
  const row = await tx.first<{ pk: number }>('select max(pk) as pk from stock_tracking where item = $1', [item])
  return row?.pk as number
}

/** Creates one stock item as `POST /api/stock/` does. */
async function createStockItem({ services, body, ...request }: WriteRequest): Promise<number> {
  const { pks } = await createItemsOfBody({ ...services, ...request, raw: body })
  return pks[0] as number
}

const getStockShape = (): Shape => {
  const { serial_numbers: _, ...shape } = getNewStockShape()
  return shape
}

const lower = (value: unknown): string => String(value).trim().toLowerCase()

/** All types, in the order in which existing clients offer them. */
export const importModels: readonly ImportModel[] = [
  model(projectCode, 'Project Code', 'ProjectCodeSerializer', { words: { code: ['reference'] } }),
  model(tag, 'tag', 'TagSerializer', { words: { name: ['name', 'tags'] } }),
  model(customState, 'Custom State', 'CustomStateSerializer'),
  model(unit, 'Custom Unit', 'CustomUnitSerializer'),
  model(parameterTemplate, 'Parameter Template', 'ParameterTemplateSerializer'),
  model(parameter, 'Parameter', 'ParameterSerializer', {
    words: { model_id: PART_WORDS, template: ['parameter'], data: ['value'] },
  }),
  model(partCategory, 'Part Category', 'CategorySerializer', {
    words: { name: ['name', 'category'], default_location: ['location'] },
  }),
  model(testTemplate, 'Part Test Template', 'PartTestTemplateSerializer', { words: { part: PART_WORDS, test_name: ['name'] } }),
  model(salePrice, 'Part Sale Price Break', 'PartSalePriceSerializer', { words: { part: PART_WORDS, ...PRICE } }),
  model(internalPrice, 'Part Internal Price Break', 'PartInternalPriceSerializer', { words: { part: PART_WORDS, ...PRICE } }),
  model(part, 'Part', 'PartSerializer', {
    words: {
      name: ['name', 'part_name', 'part'],
      // where another column is the name
      IPN: ['part_ipn', 'part'],
      notes: ['note'],
      default_location: ['location'],
    },
    // a name is unique with its IPN and revision, by a constraint; an IPN by a rule, if the settings ask for it
    listUniqueValues: ({ IPN }) => (IPN === undefined || IPN === null || IPN === '' ? [] : [lower(IPN)]),
  }),
  model(bomItem, 'BOM Item', 'BomItemSerializer', {
    words: {
      part: [],
      sub_part: ['part_id', 'part_ipn', 'part_name', 'part'],
      quantity: ['quantity'],
      reference: ['reference'],
      note: ['note'],
      allow_variants: ['allow_variants'],
      inherited: ['inherited'],
      optional: ['optional'],
      consumable: ['consumable'],
    },
  }),
  model(categoryParameter, 'Part Category Parameter Template', 'CategoryParameterTemplateSerializer'),
  model(address, 'Address', 'AddressSerializer', { words: { company: ['company', 'customer', 'supplier'] } }),
  model(company, 'Company', 'CompanySerializer', {
    words: { name: ['name', 'company', 'supplier', 'manufacturer', 'customer'], notes: ['note'], link: ['link'] },
    listUniqueValues: () => [],
  }),
  model(contact, 'Contact', 'ContactSerializer', {
    words: { company: ['company', 'customer', 'supplier'] },
    listUniqueValues: () => [],
  }),
  model(manufacturerPart, 'Manufacturer Part', 'ManufacturerPartSerializer', {
    words: { part: PART_WORDS, MPN: ['part_mpn'], manufacturer: ['manufacturer'] },
  }),
  model(supplierPart, 'Supplier Part', 'SupplierPartSerializer', {
    words: { part: PART_WORDS, SKU: ['part_sku'], manufacturer_part: ['part_mpn'], note: ['note'] },
  }),
  model(supplierPriceBreak, 'Supplier Price Break', 'SupplierPriceBreakSerializer', {
    words: { part: ['part_sku', 'part'], quantity: ['quantity'], ...PRICE },
  }),
  model(stockItemTestResult, 'Stock Item Test Result', 'StockItemTestResultSerializer'),
  model(stockItem, 'Stock Item', 'StockItemSerializer', {
    shape: getStockShape,
    create: createStockItem,
    words: {
      ...STOCK_PART,
      supplier_part: ['part_sku'],
      notes: ['note'],
      purchase_price: ['price'],
      purchase_price_currency: ['currency'],
    },
  }),
  model(stockLocation, 'Stock Location', 'LocationSerializer', { words: { name: ['name', 'location'] } }),
  model(stockTracking, 'Stock Item Tracking', 'StockTrackingSerializer', {
    shape: () => trackingShape,
    create: createHistoryEntry,
    words: { notes: ['note'] },
  }),
  model(purchaseOrder, 'Purchase Order', 'PurchaseOrderSerializer', { words: { supplier: ['supplier'], notes: ['note'] } }),
  model(purchaseOrderLine, 'Purchase Order Line Item', 'PurchaseOrderLineItemSerializer', {
    words: { ...LINE, part: ['part_sku', 'part'], purchase_price: ['price'], purchase_price_currency: ['currency'] },
  }),
  model(purchaseOrderExtraLine, 'Purchase Order Extra Line', 'PurchaseOrderExtraLineSerializer', { words: LINE }),
  model(salesOrder, 'Sales Order', 'SalesOrderSerializer', { words: { customer: ['customer'], notes: ['note'] } }),
  model(salesOrderLine, 'Sales Order Line Item', 'SalesOrderLineItemSerializer', {
    words: { ...LINE, part: PART_WORDS, sale_price: ['price'], sale_price_currency: ['currency'] },
  }),
  model(salesOrderShipment, 'Sales Order Shipment', 'SalesOrderShipmentSerializer', { words: { reference: [] } }),
  model(salesOrderExtraLine, 'Sales Order Extra Line', 'SalesOrderExtraLineSerializer', { words: LINE }),
  model(returnOrder, 'Return Order', 'ReturnOrderSerializer', { words: { customer: ['customer'], notes: ['note'] } }),
  model(returnOrderLine, 'Return Order Line Item', 'ReturnOrderLineItemSerializer', { words: LINE }),
  model(returnOrderExtraLine, 'Return Order Extra Line', 'ReturnOrderExtraLineSerializer', { words: LINE }),
  model(transferOrder, 'Transfer Order', 'TransferOrderSerializer', { words: { notes: ['note'] } }),
  model(transferOrderLine, 'Transfer Order Line Item', 'TransferOrderLineItemSerializer', {
    words: { ...LINE, part: PART_WORDS },
  }),
]

const byType: ReadonlyMap<string, ImportModel> = new Map(importModels.map((entry) => [entry.type, entry]))

/** The type with this name, which must exist. */
export function getImportModel(type: string): ImportModel {
  const found = byType.get(type)
  if (!found) throw new Error(`no import model ${type}`)
  return found
}

/** Fields that concern the caller, or copy from another object. */
const EXCLUDED = new Set(['copy_category_parameters', 'duplicate_order', 'starred'])

/** The fields of a new object that a row can have: without files and downloads, and without objects inside it. */
export const getImportShape = ({ resource, shape }: ImportModel): Shape =>
  Object.fromEntries(
    Object.entries(shape?.() ?? getWriteShape(resource)).filter(
      ([name, { file, prepareUpload, shape: inner }]) => !file && !prepareUpload && !inner && !EXCLUDED.has(name),
    ),
  )

/** Whether existing objects of a type can be changed. */
export const canUpdate = ({ resource }: ImportModel): boolean => !resource.without?.includes('update')

/** Creates an object as its POST does, and returns its key. */
export const createObject = async ({ resource, create: createOwn }: ImportModel, request: WriteRequest): Promise<number> =>
  createOwn ? createOwn(request) : (await create(resource, request)).pk

/** @throws Problem 403 if the caller may not create objects of a type, or, for `change`, change them */
export const requireModelRight = ({ resource }: ImportModel, caller: Caller, right: Extract<Right, 'add' | 'change'>): void =>
  requireAccess(resource.access, caller, right)
