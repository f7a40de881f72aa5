/** The rights on the type that the rows of a session need. */
export const listRights = ({
  update_records,
  match_field,
  on_match,
  on_missing,
}: {
  update_records: boolean
  match_field: string
  on_match: string
  on_missing: string
}): ('add' | 'change')[] => {
  if (update_records) return ['change']
  if (!match_field) return ['add']
  return [...(on_missing === 'create' ? (['add'] as const) : []), ...(on_match === 'update' ? (['change'] as const) : [])]
}
