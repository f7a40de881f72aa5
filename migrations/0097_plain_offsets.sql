-- Which rows changed is no longer kept, only how often each table changed and how many rows it has (ADR 0046).
-- Locks every counted table first: no writer is then inside the earlier function, whose columns go.
do $$
declare
  watched regclass;
begin
  for watched in select relation from watched_table order by name loop
    execute format('lock table %s in access exclusive mode', watched);
  end loop;
end
$$;--> statement-breakpoint
create or replace function count_change() returns trigger language plpgsql as $$
begin
  -- A statement that touched no row changed nothing.
  if tg_op = 'UPDATE' then
    insert into change_counter as counter (table_name, slot, value, rows)
    select tg_table_name, pg_backend_pid(), 1, 0 where exists (select from changed)
    on conflict (table_name, slot) do update set value = counter.value + 1;
  elsif tg_op = 'TRUNCATE' then
    -- How many rows went is not known in every transaction: the mark in slot -1 says that they have to be counted.
    insert into change_counter as counter (table_name, slot, value) values (tg_table_name, -1, 1)
    on conflict (table_name, slot) do update set value = counter.value + 1;
  else
    insert into change_counter as counter (table_name, slot, value, rows)
    select tg_table_name, pg_backend_pid(), 1, case tg_op when 'INSERT' then count(*) else -count(*) end from changed having count(*) > 0
    on conflict (table_name, slot) do update set value = counter.value + 1, rows = counter.rows + excluded.rows;
  end if;
  return null;
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
    returning counter.table_name, counter.value, counter.rows
  )
  insert into change_counter as counter (table_name, slot, value, rows)
  select table_name, 0, sum(value), sum(rows) from gone group by table_name order by table_name
  on conflict (table_name, slot) do update set value = counter.value + excluded.value, rows = counter.rows + excluded.rows
$$;--> statement-breakpoint
-- Counts the rows of a table and adds to its total what it lacked, so that this may run beside writers. Returns how many that were.
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
  -- The number of changes never falls, or what was read long ago would seem to hold.
  with mark as (
    delete from change_counter where table_name = watched_name and slot = -1 returning value
  )
  insert into change_counter as counter (table_name, slot, value, rows)
  select watched_name, pg_backend_pid(), 1 + coalesce(sum(value), 0), missing from mark
  on conflict (table_name, slot) do update set value = counter.value + excluded.value, rows = counter.rows + excluded.rows;
  return missing;
end
$$;--> statement-breakpoint
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
$$;--> statement-breakpoint
do $$
declare
  watched regclass;
  counting text;
begin
  for watched in select relation from watched_table order by name loop
    execute format('drop trigger if exists count_key_change on %s', watched);
    continue when not exists (select from pg_trigger where tgrelid = watched and tgfoid = 'count_keyless_change'::regproc);
    for counting in select tgname from pg_trigger where tgrelid = watched and starts_with(tgname, 'count_change_') loop
      execute format('drop trigger %I on %s', counting, watched);
    end loop;
    perform watch_changes(watched);
  end loop;
end
$$;--> statement-breakpoint
drop function count_key_change();--> statement-breakpoint
drop function count_keyless_change();--> statement-breakpoint
DROP TABLE "changed_keys";--> statement-breakpoint
ALTER TABLE "change_counter" DROP COLUMN "row_changes";--> statement-breakpoint
ALTER TABLE "change_counter" DROP COLUMN "latest";--> statement-breakpoint
-- Helped only to pass over the items of whole locations.
DROP INDEX "stock_item_gone_from_idx";
