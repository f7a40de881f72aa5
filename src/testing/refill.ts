import type { Pool } from 'pg'

type Service = { pool: Pool }

/** What PostgreSQL says of a statement that it ended because two waited for each other. */
const DEADLOCK = '40P01'

/**
 * Carries out statements that empty tables and perhaps fill them anew, all of them or none. Emptying takes one table after another, and
 * what the service does by itself reads them in an order of its own: where each waits for the other, PostgreSQL ends one, and this is
 * asked again.
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

/** The statements that empty tables, by their names, of each database. */
const known = new WeakMap<Pool, Map<string, Promise<string>>>()

/** More bytes in a table are sooner truncated than deleted row by row. */
const MANY = 1_000_000

/**
 * The statement that leaves what `truncate ... restart identity cascade` leaves. It deletes the rows where they are few: to truncate is to
 * make each table and index anew, of half a hundred tables here, and to have every connection plan its statements anew. It calls a function,
 * as PostgreSQL keeps the plans of those.
 */
export function emptying({ pool }: Service, ...tables: string[]): Promise<string> {
  const statements = known.get(pool) ?? new Map<string, Promise<string>>()
  known.set(pool, statements)
  const key = tables.join(', ')
  const statement = statements.get(key) ?? functionThatEmpties(pool, tables, `empty_tables_${statements.size}`)
  statements.set(key, statement)
  return statement
}

/** Makes the function, and gives the statement that calls it. */
async function functionThatEmpties(pool: Pool, tables: readonly string[], name: string): Promise<string> {
  const { rows: references } = await pool.query<{ from: string; to: string }>(
    `select distinct conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint where contype = 'f'`,
  )
  const found = new Set<string>()
  /** Tables come after all that refers to them. */
  const inOrder: string[] = []
  const visit = (table: string) => {
    if (found.has(table)) return
    found.add(table)
    for (const { from, to } of references) if (to === table) visit(from)
    inOrder.push(table)
  }
  tables.forEach(visit)
  const all = `'{${inOrder.join(', ')}}'::regclass[]`
  await pool.query(`create function ${name}() returns void language plpgsql as $$ begin
    if (select max(pg_relation_size(name)) from unnest(${all}) name) > ${MANY} then
      truncate ${tables.join(', ')} restart identity cascade;
    else
      ${inOrder.map((table) => `if exists (select from ${table}) then delete from ${table}; end if;`).join('\n      ')}
      perform setval(seqrelid, seqstart, false) from pg_sequence join pg_depend on objid = seqrelid and deptype = 'i'
        where refobjid = any (${all});
    end if;
  end $$`)
  return `select ${name}()`
}
