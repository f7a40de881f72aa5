import { errorCatalogue } from '../../kit/values/message.ts'

/** What is wrong with companies, supplier parts and manufacturer parts. */
export const companyErrors = errorCatalogue('Companies', {
  company_not_in_role_customer: 'The company is no customer.',
  company_not_in_role_manufacturer: 'The company is no manufacturer.',
  company_not_in_role_supplier: 'The company is no supplier.',
  company_name_taken: 'A company with this name and e-mail address already exists.',
  company_has_stock: 'The company has stock that left (stock item {stock_items}); it can be made inactive instead',
  supplier_part_has_stock: 'Stock that was bought by this supplier part is of the part that it has.',
  manufacturer_part_not_found: 'The part has no manufacturer part of this manufacturer and MPN.',
  manufacturer_part_of_other_part: 'Linked manufacturer part must reference the same base part',
  manufacturer_part_has_supplier_parts: 'Supplier parts that name this manufacturer part are of the part that it has.',
  barcode_of_other_object: 'Another object has this barcode already.',
})
