/**
 * What the OpenAPI document says of a field. Labels are no part of it: they are words of the language files.
 */
export type FieldMetadata = {
  kind:
    | 'text'
    | 'lines'
    | 'email'
    | 'integer'
    | 'number'
    | 'boolean'
    | 'choice'
    | 'date'
    | 'moment'
    | 'file'
    | 'tags'
    | 'structure'
  /** What it means, in a sentence or two. */
  help?: string
  choices?: (string | number)[]
  isNullable?: boolean
  isRequired?: boolean
  /** It is shown and cannot be written. */
  isReadOnly?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/**
 * What the OpenAPI document says of a resource: `import facts from 'facts:/api/company/'`. It is taken out of the document when the console
 * is bundled, for the addresses that are imported alone.
 */
export type ResourceMetadata = {
  /** `/api/company/` */
  path: string
  fields: Record<string, FieldMetadata>
  filters: Record<string, FieldMetadata>
  /** The fields that the list can be ordered by. */
  orders: string[]
}
