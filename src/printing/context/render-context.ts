/**
 * Metadata of a type of objects, available to templates before they read one: plain data, since templates are rendered in processes without
 * the definitions of resources.
 */
export type ObjectKind = {
  /** The URL of its list. */
  path: string
  /** Its short name in codes, such as `stockitem`. */
  model: string | undefined
  /** The reference fields to types that are available to templates: the URL of the type, by field. */
  references: Readonly<Record<string, string>>
  /** Lists of related objects: the URL of their type, by name. */
  lists: Readonly<Record<string, string>>
  /** Types of text fields with another meaning: `date`, `datetime`, `decimal`. */
  types: Readonly<Record<string, string>>
  /** Every field, empty or zero by its type, as in samples. */
  empty: Readonly<Record<string, unknown>>
}

/** The metadata shared by all templates, the same for each print. */
export type TemplateSchema = {
  /** The types of objects by URL. */
  kinds: Readonly<Record<string, ObjectKind>>
  /** The type of the caller's own account, which no other object refers to. */
  account: ObjectKind
  /** The keys of all global settings, with confidential ones separate. */
  settings: { open: readonly string[]; confidential: readonly string[] }
}

let schema: TemplateSchema | undefined

/** Sets the metadata of this process, before it reads its first template. */
export function setTemplateSchema(newSchema: TemplateSchema): void {
  schema = newSchema
}

/** @throws Error before `setTemplateSchema` */
export function getTemplateSchema(): TemplateSchema {
  if (!schema) throw new Error('The data for templates is not available yet.')
  return schema
}

/** The metadata of a type of objects available to templates, by URL. */
export function findKind(path: string): ObjectKind | undefined {
  const { kinds } = getTemplateSchema()
  return Object.hasOwn(kinds, path) ? kinds[path] : undefined
}
