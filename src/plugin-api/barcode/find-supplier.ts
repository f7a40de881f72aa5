import type { Context } from '../context.ts'

/** The setting of a plugin that names the company whose labels it reads: `SUPPLIER_ID`, in the words that all of them use. */
export const supplierSetting = <const Name extends string>(name: Name) => ({
  type: 'model' as const,
  model: 'company.company',
  apiUrl: '/api/company/',
  name: 'Supplier',
  description: `The company that is ${name}; without one, the only supplier whose name holds ${name}.`,
})

/**
 * The key of the company that a plugin of a supplier stands for: that of its setting, else of the only supplier whose name holds the
 * given one, whatever its case. Undefined when there is none, more than one, or none that the caller may see.
 */
export async function findSupplier(
  context: Context<{ SUPPLIER_ID: ReturnType<typeof supplierSetting> }>,
  name: string,
): Promise<number | undefined> {
  const set = await context.settings.get('SUPPLIER_ID')
  if (set !== null) return set
  const { status, body } = await context.read('/api/company/', { is_supplier: true, search: name, limit: 100 })
  if (status !== 200) return undefined
  const named = body.results.filter((company: { name: string }) => company.name.toLowerCase().includes(name.toLowerCase()))
  return named.length === 1 ? named[0].pk : undefined
}
