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

/** The statement that empties some tables, by their names: databases of tests are all alike. */
const known = new Map<string, Promise<string>>()

/** More bytes in a table are sooner truncated than deleted row by row. */
const MANY = 1_000_000

/**
 * The statement that leaves what `truncate ... restart identity cascade` leaves. It deletes the rows where they are few: to truncate is to
 * make each table and index anew, of half a hundred tables here, and to have every connection plan its statements anew.
 */
export function emptying(service: Service, ...tables: string[]): Promise<string> {
  const key = tables.join(', ')
  const statement = known.get(key) ?? emptyingOf(service, tables)
  known.set(key, statement)
  return statement
}

async function emptyingOf({ pool }: Service, tables: readonly string[]): Promise<string> {
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
  return `do $$ begin
    if (select max(pg_relation_size(name)) from unnest(${all}) name) > ${MANY} then
      truncate ${tables.join(', ')} restart identity cascade;
    else
      ${inOrder.map((table) => `if exists (select from ${table}) then delete from ${table}; end if;`).join('\n      ')}
      perform setval(seqrelid, seqstart, false) from pg_sequence join pg_depend on objid = seqrelid and deptype = 'i'
        where refobjid = any (${all});
    end if;
  end $$`
}
