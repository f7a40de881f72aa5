import type { Pool } from 'pg'

export type Column = {
  name: string
  type: string
  isNullable: boolean
  isComputed: boolean
  defaultValue: string | null
  references: string | null
}
export type Relation = { name: string; columns: Column[]; triggers: Trigger[] }
/** Triggers of a table that call the same function. */
export type Trigger = { function: string; events: string }
export type DatabaseFunction = { name: string; parameters: string; result: string; isTrigger: boolean }

/** The tables and views of the schema `public`, with their columns and triggers, by name. */
export async function readRelations(pool: Pool): Promise<Relation[]> {
  const { rows } = await pool.query<Relation>(`
    select c.relname as name,
      (select json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'isNullable', not a.attnotnull,
          'isComputed', a.attgenerated <> '',
          'defaultValue', case when a.attidentity = '' and a.attgenerated = '' then pg_get_expr(d.adbin, d.adrelid) end,
          'references', (
            select f.confrelid::regclass::text from pg_constraint f
            where f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum]
          )
        ) order by a.attnum)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ) as columns,
      coalesce((
        select json_agg(json_build_object('function', f.name, 'events', f.events) order by f.name) from (
          select p.proname as name, string_agg(distinct timed.timing || ' ' || event.name, ', ' order by timed.timing || ' ' || event.name) as events
          from pg_trigger t join pg_proc p on p.oid = t.tgfoid
          cross join lateral (select case when t.tgtype & 2 <> 0 then 'before' else 'after' end as timing) timed
          join (values (4, 'insert'), (16, 'update'), (8, 'delete'), (32, 'truncate')) event (bit, name) on t.tgtype & event.bit <> 0
          where t.tgrelid = c.oid and not t.tgisinternal group by p.proname
        ) f
      ), '[]') as triggers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    order by c.relname collate "C"`)
  return rows
}

/** The functions of the schema `public`, without those of extensions, by name. */
export async function readFunctions(pool: Pool): Promise<DatabaseFunction[]> {
  const { rows } = await pool.query<DatabaseFunction>(`
    select p.proname as name, pg_get_function_identity_arguments(p.oid) as parameters, pg_get_function_result(p.oid) as result,
      p.prorettype = 'trigger'::regtype as "isTrigger"
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    order by p.proname collate "C"`)
  return rows
}
