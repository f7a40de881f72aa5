/** Metadata of a field from the OpenAPI document. Labels are not part of it: they are in the language files. */
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
  /** Its meaning, in a sentence or two. */
  help?: string
  choices?: (string | number)[]
  isNullable?: boolean
  isRequired?: boolean
  /** Whether it is shown but cannot be written. */
  isReadOnly?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

/**
 * Metadata of a resource from the OpenAPI document: `import metadata from 'metadata:/api/company/'`. It is extracted when the console is bundled,
 * only for the imported URLs.
 */
export type ResourceMetadata = {
  /** URL of the resource, such as `/api/company/`. */
  path: string
  fields: Record<string, FieldMetadata>
  filters: Record<string, FieldMetadata>
  /** The fields that the list can be sorted by. */
  orders: string[]
}
