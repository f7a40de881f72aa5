ALTER TABLE "change_counter" ADD COLUMN "rows" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- How many rows a table has, without counting them: rows added less rows removed, kept in the same row as the number of changes and
-- by the same triggers, so that writers still wait for nobody.
create or replace function count_change() returns trigger language plpgsql as $$
declare
  added bigint := 0;
begin
  if tg_op = 'UPDATE' then
    -- A statement that touched no row changed nothing.
    if not exists (select from changed) then return null; end if;
  elsif tg_op = 'TRUNCATE' then
    -- How many rows went is not known in every transaction: the mark in slot -1 says that they have to be counted.
    insert into change_counter as counter (table_name, slot, value) values (tg_table_name, -1, 1)
    on conflict (table_name, slot) do update set value = counter.value + 1;
    return null;
  else
    select case tg_op when 'INSERT' then count(*) else -count(*) end into added from changed;
    if added = 0 then return null; end if;
  end if;
  insert into change_counter as counter (table_name, slot, value, rows) values (tg_table_name, pg_backend_pid(), 1, added)
  on conflict (table_name, slot) do update set value = counter.value + 1, rows = counter.rows + excluded.rows;
  return null;
end
$$;

create or replace function fold_change_counters() returns void language sql as $$
  with ended as (
    select table_name, slot from change_counter
    where slot > 0 and slot not in (select pid from pg_stat_activity where pid is not null)
    order by table_name, slot
    for update skip locked
  ), gone as (
    delete from change_counter counter using ended
    where counter.table_name = ended.table_name and counter.slot = ended.slot
    returning counter.table_name, counter.value, counter.rows
  )
  insert into change_counter as counter (table_name, slot, value, rows)
  select table_name, 0, sum(value), sum(rows) from gone group by table_name order by table_name
  on conflict (table_name, slot) do update set value = counter.value + excluded.value, rows = counter.rows + excluded.rows
$$;

-- The tables whose changes and rows are counted.
create view watched_table as
  select relname::text as name, tgrelid::regclass as relation from pg_trigger join pg_class on pg_class.oid = tgrelid
  where tgname = 'count_change_insert';

-- How many rows more a table has than its total says, both in one snapshot, in which each writer has changed both or neither.
create function missing_rows(name text, relation regclass) returns bigint language plpgsql stable as $$
declare
  missing bigint;
begin
  execute format('select (select count(*) from %s) - (select coalesce(sum(rows), 0) from change_counter where table_name = $1)', relation)
    into missing using name;
  return missing;
end
$$;

-- Counts the rows of a table and adds to its total what it lacked, so that this may run beside writers. Gives how many that were.
create function correct_total(watched regclass) returns bigint language plpgsql as $$
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
  -- The number of changes never falls, or what was read long ago would seem to hold.
  with mark as (
    delete from change_counter where table_name = watched_name and slot = -1 returning value
  )
  insert into change_counter as counter (table_name, slot, value, rows)
  select watched_name, pg_backend_pid(), 1 + coalesce(sum(value), 0), missing from mark
  on conflict (table_name, slot) do update set value = counter.value + excluded.value, rows = counter.rows + excluded.rows;
  return missing;
end
$$;

-- Counts the changes and the rows of a table from now on. Each migration that makes a table with a list calls this.
create or replace function watch_changes(watched regclass) returns void language plpgsql as $$
begin
  execute format('create trigger count_change_insert after insert on %s referencing new table as changed
    for each statement execute function count_change()', watched);
  execute format('create trigger count_change_update after update on %s referencing new table as changed
    for each statement execute function count_change()', watched);
  execute format('create trigger count_change_delete after delete on %s referencing old table as changed
    for each statement execute function count_change()', watched);
  execute format('create trigger count_change_truncate after truncate on %s
    for each statement execute function count_change()', watched);
  perform correct_total(watched);
end
$$;

-- From here on no writer is under way that counted by the earlier function, and none begins before this one is there.
do $$
declare
  watched regclass;
begin
  for watched in select relation from watched_table order by name loop
    execute format('lock table %s in share mode', watched);
  end loop;
  perform correct_total(relation) from watched_table;
end
$$;
