import { errorCatalogue } from '../../kit/values/message.ts'

/** Errors of companies, supplier parts and manufacturer parts. */
export const companyErrors = errorCatalogue('Companies', {
  company_not_in_role_customer: 'The company is not a customer.',
  company_not_in_role_manufacturer: 'The company is not a manufacturer.',
  company_not_in_role_supplier: 'The company is not a supplier.',
  company_name_taken: 'A company with this name and email address already exists.',
  company_has_stock: 'The company has stock that was shipped to it (stock item {stock_items}); make it inactive instead',
  supplier_part_has_stock: 'Stock purchased as this supplier part belongs to its present part.',
  manufacturer_part_not_found: 'The part has no manufacturer part of this manufacturer and MPN.',
  manufacturer_part_of_other_part: 'Linked manufacturer part must reference the same base part',
  manufacturer_part_has_supplier_parts: 'Supplier parts with this manufacturer part belong to its present part.',
  barcode_of_other_object: 'Another object already has this barcode.',
})
