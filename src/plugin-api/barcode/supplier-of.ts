import type { Context } from '../context.ts'
import type { SupplierLabel } from './supplier-label.ts'

/** Defines the setting `SUPPLIER_ID`, the company whose labels a plugin reads. */
export const supplierSetting = <const Name extends string>(name: Name) => ({
  type: 'model' as const,
  model: 'company.company',
  apiUrl: '/api/company/',
  name: 'Supplier',
  description: `The company ${name}; by default the only supplier whose name contains ${name}.`,
})

/** Returns the supplier of the labels of a plugin: the company of its setting, otherwise its name. */
export async function supplierOf(
  context: Context<{ SUPPLIER_ID: ReturnType<typeof supplierSetting> }>,
  name: string,
): Promise<Pick<SupplierLabel, 'supplier' | 'supplier_name'>> {
  const supplier = await context.settings.get('SUPPLIER_ID')
  return supplier === null ? { supplier_name: name } : { supplier }
}
