import type { OutboxEvent } from '../kit/services/events.ts'

/** The tables whose changes are events, and what the existing system calls each: its area, and the kind of object. */
export const existingTables: Readonly<Record<string, string>> = {
  address: 'company_address',
  bom_item: 'part_bomitem',
  bom_item_substitute: 'part_bomitemsubstitute',
  bom_report: 'report_billofmaterialsreport',
  build_line_label: 'label_buildlinelabel',
  build_order: 'build_build',
  build_order_attachment: 'build_buildorderattachment',
  build_report: 'report_buildreport',
  company: 'company_company',
  company_attachment: 'company_companyattachment',
  contact: 'company_contact',
  custom_unit: 'common_customunit',
  machine: 'machine_machineconfig',
  manufacturer_part: 'company_manufacturerpart',
  manufacturer_part_attachment: 'company_manufacturerpartattachment',
  manufacturer_part_parameter: 'company_manufacturerpartparameter',
  notes_image: 'common_notesimage',
  part: 'part_part',
  part_attachment: 'part_partattachment',
  part_category: 'part_partcategory',
  part_category_parameter_template: 'part_partcategoryparametertemplate',
  part_category_star: 'part_partcategorystar',
  part_internal_price: 'part_partinternalpricebreak',
  part_label: 'label_partlabel',
  part_parameter: 'part_partparameter',
  part_parameter_template: 'part_partparametertemplate',
  part_related: 'part_partrelated',
  part_sale_price: 'part_partsellpricebreak',
  part_star: 'part_partstar',
  part_test_template: 'part_parttesttemplate',
  project_code: 'common_projectcode',
  purchase_order: 'order_purchaseorder',
  purchase_order_attachment: 'order_purchaseorderattachment',
  purchase_order_extra_line: 'order_purchaseorderextraline',
  purchase_order_line: 'order_purchaseorderlineitem',
  purchase_order_report: 'report_purchaseorderreport',
  report_asset: 'report_reportasset',
  report_snippet: 'report_reportsnippet',
  return_order: 'order_returnorder',
  return_order_attachment: 'order_returnorderattachment',
  return_order_extra_line: 'order_returnorderextraline',
  return_order_line: 'order_returnorderlineitem',
  return_order_report: 'report_returnorderreport',
  sales_order: 'order_salesorder',
  sales_order_allocation: 'order_salesorderallocation',
  sales_order_attachment: 'order_salesorderattachment',
  sales_order_extra_line: 'order_salesorderextraline',
  sales_order_line: 'order_salesorderlineitem',
  sales_order_report: 'report_salesorderreport',
  sales_order_shipment: 'order_salesordershipment',
  setting: 'common_inventreesetting',
  stock_item: 'stock_stockitem',
  stock_item_attachment: 'stock_stockitemattachment',
  stock_item_label: 'label_stockitemlabel',
  stock_item_test_result: 'stock_stockitemtestresult',
  stock_location: 'stock_stocklocation',
  stock_location_label: 'label_stocklocationlabel',
  stock_location_report: 'report_stocklocationreport',
  stock_location_type: 'stock_stocklocationtype',
  stock_tracking: 'stock_stockitemtracking',
  supplier_part: 'company_supplierpart',
  supplier_price_break: 'company_supplierpricebreak',
  test_report: 'report_testreport',
  user_setting: 'common_inventreeusersetting',
}

/** What existing clients call an event: `part_part.created` for a change of a row, `purchaseorder.placed` for what was done. */
export const eventName = ({ model, kind }: Pick<OutboxEvent, 'model' | 'kind'>): string =>
  kind.includes('.') ? kind : `${existingTables[model] ?? model}.${kind}`

/** What existing clients call the objects of a table: `part`, `stockitem`, `purchaseorder`. */
export const modelName = (table: string): string => {
  const name = existingTables[table] ?? table
  return name.slice(name.indexOf('_') + 1)
}
