CREATE TABLE "changed_keys" (
	"table_name" varchar(63) collate "C" NOT NULL,
	"slot" integer NOT NULL,
	"place" integer NOT NULL,
	"upto" bigint NOT NULL,
	"keys" integer[] NOT NULL,
	CONSTRAINT "changed_keys_pkey" PRIMARY KEY("table_name","slot","place")
);
--> statement-breakpoint
ALTER TABLE "change_counter" ADD COLUMN "row_changes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "change_counter" ADD COLUMN "latest" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
alter table changed_keys set (fillfactor = 50, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);--> statement-breakpoint
-- Which rows of a table were changed lately is kept beside how many changes there were, by the same triggers: whoever knows in which order
-- the rows of a list were a moment ago looks only at those anew (ADR 0045).
create or replace function count_change() returns trigger language plpgsql as $$
declare
  -- of a statement that touches more rows it is not kept which they were
  most constant integer := 128;
  -- so many keys are much for a row that is rewritten with each change: they are put elsewhere
  much constant integer := 16;
  keys integer[];
  touched bigint;
  reached bigint;
begin
  if tg_op = 'TRUNCATE' then
    -- How many rows went is not known in every transaction: the mark in slot -1 says that they have to be counted.
    insert into change_counter as counter (table_name, slot, value, row_changes) values (tg_table_name, -1, 1, 1)
    on conflict (table_name, slot) do update set value = counter.value + 1, row_changes = counter.row_changes + 1;
    return null;
  end if;
  select array_agg(pk) into keys from (select pk from changed limit most + 1) first_ones;
  -- A statement that touched no row changed nothing.
  if keys is null then return null; end if;
  touched := cardinality(keys);
  if touched > most then
    keys := '{}';
    select count(*) into touched from changed;
  end if;
  insert into change_counter as counter (table_name, slot, value, rows, row_changes, latest)
  values (tg_table_name, pg_backend_pid(), 1, case tg_op when 'INSERT' then touched when 'DELETE' then -touched else 0 end, touched, keys)
  on conflict (table_name, slot) do update set value = counter.value + 1, rows = counter.rows + excluded.rows,
    row_changes = counter.row_changes + excluded.row_changes,
    latest = case when excluded.latest = '{}' or cardinality(counter.latest) >= much then excluded.latest
      else counter.latest || excluded.latest end
  returning row_changes, latest into reached, keys;
  -- What is there of an earlier connection under the same number has nothing to do with this one.
  if reached = touched then
    delete from changed_keys where table_name = tg_table_name and slot = pg_backend_pid();
  end if;
  if cardinality(keys) >= much then
    insert into changed_keys as kept (table_name, slot, place, upto, keys)
    values (tg_table_name, pg_backend_pid(), reached / much % 16, reached, keys)
    on conflict (table_name, slot, place) do update set upto = excluded.upto, keys = excluded.keys;
  end if;
  return null;
end
$$;--> statement-breakpoint
-- Counts that rows of a table are given other keys: nobody is told those that they had, nor, therefore, which rows changed.
create function count_key_change() returns trigger language plpgsql as $$
begin
  insert into change_counter as counter (table_name, slot, value, row_changes) values (tg_table_name, pg_backend_pid(), 1, 1)
  on conflict (table_name, slot) do update set value = counter.value + 1, row_changes = counter.row_changes + 1, latest = '{}';
  return null;
end
$$;--> statement-breakpoint
-- Counts changes of a table whose rows have no key `pk`: which they were is not kept.
create function count_keyless_change() returns trigger language plpgsql as $$
declare
  touched bigint;
begin
  if tg_op = 'TRUNCATE' then
    insert into change_counter as counter (table_name, slot, value, row_changes) values (tg_table_name, -1, 1, 1)
    on conflict (table_name, slot) do update set value = counter.value + 1, row_changes = counter.row_changes + 1;
    return null;
  end if;
  select count(*) into touched from changed;
  if touched = 0 then return null; end if;
  insert into change_counter as counter (table_name, slot, value, rows, row_changes)
  values (tg_table_name, pg_backend_pid(), 1, case tg_op when 'INSERT' then touched when 'DELETE' then -touched else 0 end, touched)
  on conflict (table_name, slot) do update set value = counter.value + 1, rows = counter.rows + excluded.rows,
    row_changes = counter.row_changes + excluded.row_changes;
  return null;
end
$$;--> statement-breakpoint
-- Counts the changes and the rows of a table from now on. Each migration that makes a table with a list calls this.
create or replace function watch_changes(watched regclass) returns void language plpgsql as $$
declare
  has_key constant boolean := exists (
    select from pg_attribute where attrelid = watched and attname = 'pk' and atttypid = 'integer'::regtype and not attisdropped
  );
  counting constant text := case when has_key then 'count_change' else 'count_keyless_change' end;
begin
  execute format('create trigger count_change_insert after insert on %s referencing new table as changed
    for each statement execute function %I()', watched, counting);
  execute format('create trigger count_change_update after update on %s referencing new table as changed
    for each statement execute function %I()', watched, counting);
  execute format('create trigger count_change_delete after delete on %s referencing old table as changed
    for each statement execute function %I()', watched, counting);
  execute format('create trigger count_change_truncate after truncate on %s
    for each statement execute function %I()', watched, counting);
  if has_key then
    execute format('create trigger count_key_change after update of pk on %s for each statement execute function count_key_change()', watched);
  end if;
  perform correct_total(watched);
end
$$;--> statement-breakpoint
do $$
declare
  watched regclass;
  has_key boolean;
  counting text;
begin
  for watched, has_key in
    select relation, exists (
      select from pg_attribute where attrelid = relation and attname = 'pk' and atttypid = 'integer'::regtype and not attisdropped
    ) from watched_table
    order by name
  loop
    if has_key then
      execute format('create trigger count_key_change after update of pk on %s for each statement execute function count_key_change()', watched);
      continue;
    end if;
    for counting in select tgname from pg_trigger where tgrelid = watched and starts_with(tgname, 'count_change_') loop
      execute format('drop trigger %I on %s', counting, watched);
    end loop;
    perform watch_changes(watched);
  end loop;
end
$$;--> statement-breakpoint
create or replace function fold_change_counters() returns void language sql as $$
  with ended as (
    select table_name, slot from change_counter
    where slot > 0 and slot not in (select pid from pg_stat_activity where pid is not null)
    order by table_name, slot
    for update skip locked
  ), gone as (
    delete from change_counter counter using ended
    where counter.table_name = ended.table_name and counter.slot = ended.slot
    returning counter.table_name, counter.value, counter.rows, counter.row_changes
  ), forgotten as (
    delete from changed_keys kept using ended where kept.table_name = ended.table_name and kept.slot = ended.slot
  )
  insert into change_counter as counter (table_name, slot, value, rows, row_changes)
  select table_name, 0, sum(value), sum(rows), sum(row_changes) from gone group by table_name order by table_name
  on conflict (table_name, slot) do update set value = counter.value + excluded.value, rows = counter.rows + excluded.rows,
    row_changes = counter.row_changes + excluded.row_changes
$$;--> statement-breakpoint
-- Counts the rows of a table and adds to its total what it lacked, so that this may run beside writers. Gives how many that were.
create or replace function correct_total(watched regclass) returns bigint language plpgsql as $$
declare
  watched_name text := (select relname from pg_class where oid = watched);
  missing bigint;
begin
  -- Two would both add it.
  perform pg_advisory_xact_lock(hashtext('correct_total'));
  -- No TRUNCATE comes in between, and none is under way whose mark is not seen yet.
  execute format('lock table %s in access share mode', watched);
  missing := missing_rows(watched_name, watched);
  if missing = 0 and not exists (select from change_counter where table_name = watched_name and slot = -1) then return 0; end if;
  -- The number of changes never falls, or what was read long ago would seem to hold. What was missing was changed past the triggers: of
  -- which rows that were nothing is known.
  with mark as (
    delete from change_counter where table_name = watched_name and slot = -1 returning value, row_changes
  )
  insert into change_counter as counter (table_name, slot, value, rows, row_changes)
  select watched_name, pg_backend_pid(), 1 + coalesce(sum(value), 0), missing, 1 + coalesce(sum(row_changes), 0) from mark
  on conflict (table_name, slot) do update set value = counter.value + excluded.value, rows = counter.rows + excluded.rows,
    row_changes = counter.row_changes + excluded.row_changes, latest = '{}';
  return missing;
end
$$;
