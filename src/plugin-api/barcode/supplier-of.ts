import type { Context } from '../context.ts'
import type { SupplierLabel } from './supplier-label.ts'

/** The setting of a plugin that names the company whose labels it reads: `SUPPLIER_ID`, in the words that all of them use. */
export const supplierSetting = <const Name extends string>(name: Name) => ({
  type: 'model' as const,
  model: 'company.company',
  apiUrl: '/api/company/',
  name: 'Supplier',
  description: `The company ${name}; by default the only supplier whose name contains ${name}.`,
})

/** What a plugin of a supplier says on its labels of whose they are: the company of its setting, else the name by which it is found. */
export async function supplierOf(
  context: Context<{ SUPPLIER_ID: ReturnType<typeof supplierSetting> }>,
  name: string,
): Promise<Pick<SupplierLabel, 'supplier' | 'supplier_name'>> {
  const supplier = await context.settings.get('SUPPLIER_ID')
  return supplier === null ? { supplier_name: name } : { supplier }
}
