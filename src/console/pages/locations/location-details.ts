/** A place where stock is, as `/api/stock/location/` has it. */
export type Location = {
  pk: number
  name: string
  description: string
  parent: number | null
  pathstring: string
  path?: { pk: number; name: string }[]
  items: number
  sublocations: number
  structural: boolean
  external: boolean
  location_type_detail: { name: string } | null
  tags: string[]
}

/** The fields of its forms, in their order. What is not here is under "More". */
export const FIELDS = ['name', 'description', 'parent', 'structural', 'external', 'location_type', 'tags']

/** Fields that are worked out. */
export const SERVICE_PATHS = ['pathstring']
