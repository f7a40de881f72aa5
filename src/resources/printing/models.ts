import type { Resource } from '../../kit/definition/resource.ts'
import type { Expression } from '../../kit/sql/sql.ts'
import { bomItem } from '../bom/bom-item.resource.ts'
import { bomSubstitute } from '../bom/substitute/bom-substitute.resource.ts'
import { buildOrder } from '../build/build.resource.ts'
import { buildAllocation } from '../build/item/build-allocation.resource.ts'
import { buildLine } from '../build/line/build-line.resource.ts'
import { address } from '../company/address/address.resource.ts'
import { company } from '../company/company.resource.ts'
import { contact } from '../company/contact/contact.resource.ts'
import { manufacturerPart } from '../company/part/manufacturer/manufacturer-part.resource.ts'
import { manufacturerPartParameter } from '../company/part/manufacturer/parameter/manufacturer-part-parameter.resource.ts'
import { supplierPart } from '../company/part/supplier-part.resource.ts'
import { supplierPriceBreak } from '../company/price-break/supplier-price-break.resource.ts'
import { purchaseOrder } from '../order/po/po.resource.ts'
import { purchaseOrderExtraLine } from '../order/po-extra-line/po-extra-line.resource.ts'
import { purchaseOrderLine } from '../order/po-line/po-line.resource.ts'
import { returnOrder } from '../order/ro/ro.resource.ts'
import { returnOrderExtraLine } from '../order/ro-extra-line/ro-extra-line.resource.ts'
import { returnOrderLine } from '../order/ro-line/ro-line.resource.ts'
import { salesOrderShipment } from '../order/so/shipment/shipment.resource.ts'
import { salesOrder } from '../order/so/so.resource.ts'
import { salesOrderAllocation } from '../order/so-allocation/so-allocation.resource.ts'
import { salesOrderExtraLine } from '../order/so-extra-line/so-extra-line.resource.ts'
import { salesOrderLine } from '../order/so-line/so-line.resource.ts'
import { transferOrder } from '../order/transfer-order/transfer-order.resource.ts'
import { transferOrderAllocation } from '../order/transfer-order-allocation/transfer-order-allocation.resource.ts'
import { transferOrderLine } from '../order/transfer-order-line/transfer-order-line.resource.ts'
import { partCategory } from '../part/category/part-category.resource.ts'
import { internalPrice } from '../part/internal-price/internal-price.resource.ts'
import { part } from '../part/part.resource.ts'
import { salePrice } from '../part/sale-price/sale-price.resource.ts'
import { testTemplate } from '../part/test-template/test-template.resource.ts'
import { projectCode } from '../project-code/project-code.resource.ts'
import { stockLocation } from '../stock/location/stock-location.resource.ts'
import { stockLocationType } from '../stock/location-type/stock-location-type.resource.ts'
import { stockItem } from '../stock/stock-item.resource.ts'
import { stockItemTestResult } from '../stock/test/stock-item-test-result.resource.ts'
import { owner } from '../user/owner/owner.resource.ts'

/** A type of object available to templates. */
export type Model = {
  resource: Resource
  /** Lists of related objects, by name: their type, and the condition that one belongs to the object with the key `owner.pk`. */
  lists?: Readonly<Record<string, { path: string; belongs: Expression }>>
  /** Fields with keys whose type is not in the field metadata: the URLs of the types they refer to. */
  references?: Readonly<Record<string, string>>
}

/** The items installed in an item, at any depth. `union` stops at items already visited. */
const INSTALLED = `with recursive inside (pk) as (
  select item.pk from stock_item item where item.belongs_to = owner.pk
  union select item.pk from stock_item item join inside on item.belongs_to = inside.pk
) select pk from inside`

/** Objects of a part, or of a template above it. */
const OF_PART_OR_TEMPLATE = '{part} = any(array(select unnest(own.path) from part own where own.pk = owner.pk))'

/** Objects of the part that a build order makes, or of a template above it. */
const OF_BUILT_PART = `{part} = any(array(
  select unnest(built.path) from build_order b join part built on built.pk = b.part where b.pk = owner.pk
)) and ({inherited} or {part} = (select b.part from build_order b where b.pk = owner.pk))`

/** The types of objects available to templates; a reference to any other type stays a key. Accounts are not among them. */
const templateModels: Model[] = [
  {
    resource: part,
    lists: {
      supplier_parts: { path: supplierPart.path, belongs: '{part} = owner.pk' },
      internal_prices: { path: internalPrice.path, belongs: '{part} = owner.pk' },
      sale_prices: { path: salePrice.path, belongs: '{part} = owner.pk' },
      // including those of the templates above
      test_templates: { path: testTemplate.path, belongs: OF_PART_OR_TEMPLATE },
      bom_items: { path: bomItem.path, belongs: `${OF_PART_OR_TEMPLATE} and ({part} = owner.pk or {inherited})` },
      used_in: { path: bomItem.path, belongs: '{sub_part} = owner.pk' },
    },
  },
  { resource: bomItem },
  { resource: bomSubstitute },
  { resource: internalPrice },
  { resource: salePrice },
  { resource: testTemplate },
  { resource: partCategory },
  {
    resource: stockItem,
    lists: {
      test_results: { path: stockItemTestResult.path, belongs: '{stock_item} = owner.pk' },
      // including those of installed items, at any depth
      all_test_results: {
        path: stockItemTestResult.path,
        belongs: `{stock_item} = owner.pk or {stock_item} in (${INSTALLED})`,
      },
      child_items: { path: stockItem.path, belongs: '{parent} = owner.pk' },
      all_installed_items: { path: stockItem.path, belongs: `{pk} in (${INSTALLED})` },
    },
  },
  { resource: stockItemTestResult },
  {
    resource: stockLocation,
    // items in a location also count as in every parent location
    lists: { stock_items: { path: stockItem.path, belongs: '{location.path} @> array[owner.pk]' } },
  },
  { resource: stockLocationType },
  {
    resource: company,
    lists: {
      addresses: { path: address.path, belongs: '{company} = owner.pk' },
      contacts: { path: contact.path, belongs: '{company} = owner.pk' },
    },
  },
  { resource: contact },
  { resource: address },
  { resource: supplierPart, lists: { price_breaks: { path: supplierPriceBreak.path, belongs: '{part} = owner.pk' } } },
  { resource: supplierPriceBreak },
  {
    resource: manufacturerPart,
    lists: { parameters: { path: manufacturerPartParameter.path, belongs: '{manufacturer_part} = owner.pk' } },
  },
  { resource: manufacturerPartParameter },
  {
    resource: purchaseOrder,
    lists: {
      lines: { path: purchaseOrderLine.path, belongs: '{order} = owner.pk' },
      extra_lines: { path: purchaseOrderExtraLine.path, belongs: '{order} = owner.pk' },
    },
  },
  {
    resource: salesOrder,
    lists: {
      lines: { path: salesOrderLine.path, belongs: '{order} = owner.pk' },
      extra_lines: { path: salesOrderExtraLine.path, belongs: '{order} = owner.pk' },
      shipments: { path: salesOrderShipment.path, belongs: '{order} = owner.pk' },
    },
  },
  {
    resource: returnOrder,
    lists: {
      lines: { path: returnOrderLine.path, belongs: '{order} = owner.pk' },
      extra_lines: { path: returnOrderExtraLine.path, belongs: '{order} = owner.pk' },
    },
  },
  {
    resource: transferOrder,
    lists: {
      lines: { path: transferOrderLine.path, belongs: '{order} = owner.pk' },
      allocations: { path: transferOrderAllocation.path, belongs: '{line.order} = owner.pk' },
    },
  },
  { resource: transferOrderLine },
  {
    resource: transferOrderAllocation,
    references: { part: part.path, order: transferOrder.path, location: stockLocation.path },
  },
  { resource: returnOrderLine },
  { resource: returnOrderExtraLine },
  { resource: salesOrderLine },
  { resource: salesOrderExtraLine },
  {
    resource: salesOrderShipment,
    lists: { allocations: { path: salesOrderAllocation.path, belongs: '{shipment} = owner.pk' } },
  },
  { resource: salesOrderAllocation, references: { part: part.path, order: salesOrder.path, location: stockLocation.path } },
  { resource: purchaseOrderLine },
  { resource: purchaseOrderExtraLine },
  {
    resource: buildOrder,
    lists: {
      line_items: { path: buildLine.path, belongs: '{build} = owner.pk' },
      // including completed ones
      build_outputs: { path: stockItem.path, belongs: '{build} = owner.pk' },
      bom_items: { path: bomItem.path, belongs: OF_BUILT_PART },
      allocations: { path: buildAllocation.path, belongs: '{build_line.build} = owner.pk' },
      sub_builds: { path: buildOrder.path, belongs: '{parent} = owner.pk' },
    },
  },
  {
    resource: buildLine,
    lists: { allocations: { path: buildAllocation.path, belongs: '{build_line} = owner.pk' } },
    references: { build: buildOrder.path, bom_item: bomItem.path },
  },
  { resource: buildAllocation, references: { build: buildOrder.path } },
  { resource: projectCode },
  { resource: owner },
]

/** The models by the URL of their list. */
export const models: ReadonlyMap<string, Model> = new Map(templateModels.map((model) => [model.resource.path, model]))
