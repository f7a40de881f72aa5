import type { Body, WriteRequest } from '../../kit/definition/resource.ts'
import { Problem } from '../../kit/request/problem.ts'
import type { ErrorMessage } from '../../kit/values/message.ts'
import { isAboutObject } from '../../kit/writing/bulk-create.ts'
import { create } from '../../kit/writing/write.ts'
import { PATH_MODELS } from './creatable.ts'
import type { ImportFields } from './import-fields.ts'
import { getImportModel } from './import-models.ts'
import { importerErrors } from './importer-errors.ts'

/** An object that is created because a row names it. */
export type CreatedReference = { field: string; model: string; name: string; pk: number }

type Context = Omit<WriteRequest, 'body' | 'ifMatch'>

/** The separator of the names in a path. */
const PATH_SEPARATOR = '/'

/** The flag of a company that a field refers to. */
const COMPANY_FLAGS: Readonly<Record<string, string>> = {
  supplier: 'is_supplier',
  manufacturer: 'is_manufacturer',
  customer: 'is_customer',
}

/** The type of the objects that a field refers to. */
export const getReferenceModel = (fields: ImportFields, field: string) => getImportModel(String(fields[field]?.model))

/**
 * Creates the object that a row names in a field: a category or location with those above it, a company, or the component of a BOM line, in
 * the category of its assembly.
 * @param field the name of the field
 * @param model the model that it refers to
 * @param row the body of the row
 * @returns its key, and all created objects; or why it cannot be created
 */
export async function createReference(
  context: Context,
  { field, model, name, row }: { field: string; model: string; name: string; row: Body },
): Promise<{ pk: number; created: CreatedReference[] } | ErrorMessage> {
  const { resource } = getImportModel(model)
  if (!resource.access(context.caller, 'add')) return importerErrors.import_reference_forbidden({ value: name.slice(0, 200) })
  const created: CreatedReference[] = []
  const write = async (label: string, body: Body) => {
    const { pk } = await create(resource, { ...context, body })
    created.push({ field, model, name: label, pk })
    return pk
  }
  try {
    const pk = await context.tx.savepoint(async () => {
      const key = PATH_MODELS.has(model)
        ? await createPath(context, resource, name, write)
        : model === 'company'
          ? await write(name, { name, ...(COMPANY_FLAGS[field] && { [COMPANY_FLAGS[field]]: true }) })
          : await write(name, { name, component: true, ...(await readAssemblyCategory(context, row)) })
      await context.tx.flush()
      return key
    })
    return { pk, created }
  } catch (error) {
    if (error instanceof Problem && isAboutObject(error))
      return importerErrors.import_reference_not_created({ value: name.slice(0, 200) })
    throw error
  }
}

/** Creates those objects of a path that do not exist. Returns the key of the last one. */
async function createPath(
  { tx }: Context,
  { path }: { path: string },
  text: string,
  write: (label: string, body: Body) => Promise<number>,
): Promise<number> {
  const table = path === '/api/part/category/' ? 'part_category' : 'stock_location'
  const names = text.split(PATH_SEPARATOR).map((name) => name.trim())
  let parent: number | null = null
  for (const [index, name] of names.entries()) {
    const existing: { pk: number } | undefined = await tx.first<{ pk: number }>(
      `select pk from ${table} where parent is not distinct from $1 and lower(name) = lower($2) order by pk limit 1`,
      [parent, name],
    )
    parent = existing?.pk ?? (await write(names.slice(0, index + 1).join(PATH_SEPARATOR), { name, parent }))
  }
  return parent as unknown as number
}

/** The category of the assembly that a row names; an unknown assembly is an error of its own. */
async function readAssemblyCategory({ tx }: Context, row: Body): Promise<Body> {
  const [found] = await tx.query<{ category: number | null }>('select category from part where pk = $1', [
    typeof row.part === 'number' ? row.part : 0,
  ])
  return found?.category ? { category: found.category } : {}
}
