/** A stock location, as in `/api/stock/location/`. */
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
  location_type_detail: { name: string; icon: string } | null
  tags: string[]
}

/** The fields of its forms, in order. The others are under "More". */
export const FIELDS = ['name', 'description', 'parent', 'structural', 'external', 'location_type', 'tags']

/** Computed fields. */
export const EXCLUDED_FIELDS = ['pathstring']
