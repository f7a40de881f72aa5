import type { PoolClient } from 'pg'

/**
 * Stores tags with the keys that they have in the dump: otherwise the triggers of tagged objects create them, with other keys. A tag that
 * exists already keeps its key.
 */
export async function loadTags(client: PoolClient, tags: ReadonlyMap<unknown, string>): Promise<void> {
  const entries = [...tags].filter(([pk, name]) => Number.isInteger(pk) && name !== '' && name.length <= MAX_NAME_LENGTH)
  if (entries.length === 0) return
  await client.query(
    'insert into tag (pk, name) select pk, name from unnest($1::integer[], $2::text[]) new (pk, name) on conflict do nothing',
    [entries.map(([pk]) => pk), entries.map(([, name]) => name)],
  )
  await client.query(`select setval(pg_get_serial_sequence('tag', 'pk'), (select max(pk) from tag))`)
}

/** Longer tags are cut where they are used. */
const MAX_NAME_LENGTH = 100
