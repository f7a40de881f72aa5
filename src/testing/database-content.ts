import type { Pool } from 'pg'

/** Reads everything that a restored database must have too: rows, jobs, sequences, constraints, triggers and indexes. */
export async function readContent(database: Pool) {
  const { rows: tables } = await database.query(
    `select relname as name from pg_class where relkind = 'r' and relpersistence = 'p' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    const columns = name === 'migration' ? 'tag, hash' : '*'
    const text = `select md5(coalesce(string_agg(t::text, E'\\n' order by t::text), '')) as md5 from (select ${columns} from "${name}") t`
    rows[name] = (await database.query(text)).rows[0].md5
  }
  const select = async (text: string) => (await database.query(text)).rows
  return {
    rows,
    jobs: await select('select id, name, data, state from pgboss.job_common order by 1'),
    queues: await select('select name, policy from pgboss.queue order by 1'),
    sequences: await select(`select sequencename, last_value from pg_sequences where schemaname = 'public' order by 1`),
    rules: await select(
      `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid) as rule, convalidated from pg_constraint
       where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    triggers: await select(
      `select tgrelid::regclass::text as "table", tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
    ),
    indexes: await select(`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
  }
}
