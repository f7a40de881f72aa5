import type { Pool } from 'pg'

type Service = { pool: Pool }

/** PostgreSQL's error code for a statement that it aborted because of a deadlock. */
const DEADLOCK = '40P01'

/**
 * Executes statements that empty and possibly refill tables, all of them or none. They lock one table after another, and background jobs of
 * the service may lock them in another order: on a deadlock, PostgreSQL aborts one of the two, and this function retries.
 */
export async function refill({ pool }: Service, statements: string): Promise<void> {
  for (let round = 1; ; round++) {
    try {
      await pool.query(statements)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || round === 10) throw error
    }
  }
}

/** The statements that empty tables, per database, by table names. */
const statementsByPool = new WeakMap<Pool, Map<string, Promise<string>>>()

/** Size in bytes above which truncating a table is faster than deleting its rows. */
const LARGE_TABLE_BYTES = 1_000_000

/**
 * Returns a statement with the effect of `truncate ... restart identity cascade`. It deletes the rows if there are few: truncating
 * recreates about fifty tables here with their indexes, and makes every connection plan its statements again. The statement calls a
 * function, as PostgreSQL caches the plans of functions.
 */
export function getEmptyStatement({ pool }: Service, ...tables: string[]): Promise<string> {
  const statements = statementsByPool.get(pool) ?? new Map<string, Promise<string>>()
  statementsByPool.set(pool, statements)
  const key = tables.join(', ')
  const statement = statements.get(key) ?? createEmptyingFunction(pool, tables, `empty_tables_${statements.size}`)
  statements.set(key, statement)
  return statement
}

/** Creates the function, and returns the statement that calls it. */
async function createEmptyingFunction(pool: Pool, tables: readonly string[], name: string): Promise<string> {
  const { rows: references } = await pool.query<{ from: string; to: string }>(
    `select distinct conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'`,
  )
  const visited = new Set<string>()
  /** Tables, each after all tables that refer to it. */
  const orderedTables: string[] = []
  const visit = (table: string) => {
    if (visited.has(table)) return
    visited.add(table)
    for (const { from, to } of references) if (to === table) visit(from)
    orderedTables.push(table)
  }
  tables.forEach(visit)
  const all = `'{${orderedTables.join(', ')}}'::regclass[]`
  await pool.query(`create function ${name}() returns void language plpgsql as $$ begin
    if (select max(pg_relation_size(name)) from unnest(${all}) name) > ${LARGE_TABLE_BYTES} then
      truncate ${tables.join(', ')} restart identity cascade;
    else
      ${orderedTables.map((table) => `if exists (select from ${table}) then delete from ${table}; end if;`).join('\n      ')}
      perform setval(seqrelid, seqstart, false) from pg_sequence join pg_depend on objid = seqrelid and deptype = 'i'
        where refobjid = any (${all});
    end if;
  end $$`)
  return `select ${name}()`
}
