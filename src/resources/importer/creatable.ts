/** Models whose objects are created by a path. */
export const PATH_MODELS: ReadonlySet<string> = new Set(['partcategory', 'stocklocation'])

/**
 * Whether objects that a field refers to can be created by their names.
 * @param type the type of the objects with the field
 * @param model the model that it refers to
 */
export const canCreateMissing = (type: string, field: string, model: unknown): boolean =>
  PATH_MODELS.has(String(model)) || model === 'company' || (type === 'bomitem' && field === 'sub_part')
