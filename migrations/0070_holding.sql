CREATE TABLE "holding" (
	"of" varchar(63) collate "C" NOT NULL,
	"place" integer NOT NULL,
	"slot" integer NOT NULL,
	"rows" bigint NOT NULL,
	CONSTRAINT "holding_pkey" PRIMARY KEY("of","place","slot")
);--> statement-breakpoint
alter table holding set (fillfactor = 40, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
select watch_changes('holding');

-- Tables whose rows lie in places of a tree, by the column that names the place, are counted by place from now on. A statement that
-- moves nothing writes nothing; one that moves rows writes what each place gained or lost.
create function hold_by(counted regclass, place text) returns void language plpgsql as $$
declare
  counted_name text := (select relname from pg_class where oid = counted);
  keep text := format('
    insert into holding as held ("of", place, slot, rows)
    select %%L, place, pg_backend_pid(), sum(change) from (%%s) changed
    where place is not null group by place having sum(change) <> 0 order by place
    on conflict ("of", place, slot) do update set rows = held.rows + excluded.rows;');
  came text := format('select %I as place, 1 as change from new_rows', place);
  went text := format('select %I as place, -1 as change from old_rows', place);
  sides record;
begin
  for sides in
    select * from (values
      ('insert', 'new table as new_rows', came),
      ('delete', 'old table as old_rows', went),
      ('update', 'old table as old_rows new table as new_rows', came || ' union all ' || went)
    ) side (operation, tables, changes)
  loop
    execute format('create function hold_%s_%s() returns trigger language plpgsql as $f$ begin %s return null; end $f$',
      counted_name, sides.operation, format(keep, counted_name, sides.changes));
    execute format('create trigger hold_%s after %s on %s referencing %s for each statement execute function hold_%s_%s()',
      sides.operation, sides.operation, counted, sides.tables, counted_name, sides.operation);
  end loop;
  execute format('create function hold_%s_truncate() returns trigger language plpgsql as
    $f$ begin delete from holding where "of" = %L; return null; end $f$', counted_name, counted_name);
  execute format('create trigger hold_truncate after truncate on %s for each statement execute function hold_%s_truncate()',
    counted, counted_name);
  -- What is there already; nobody writes until it is counted.
  execute format('lock table %s in share mode', counted);
  execute format('insert into holding select %L, %I, 0, count(*) from %s where %I is not null group by %I',
    counted_name, place, counted, place, place);
end
$$;

select hold_by('stock_item', 'location'), hold_by('part', 'category');

-- What places hold by their counters, and what is there; those that differ. Both in one snapshot.
create function verify_holdings() returns table ("of" text, place integer, stored bigint, counted bigint) language sql stable as $$
  select "of", place, coalesce(stored, 0), coalesce(counted, 0)
  from (
    select 'stock_item' as "of", location as place, count(*) as counted from stock_item where location is not null group by location
    union all
    select 'part', category, count(*) from part where category is not null group by category
  ) there
  full join (
    select held."of"::text, held.place, sum(held.rows)::bigint as stored from holding held group by held."of", held.place
  ) kept using ("of", place)
  where coalesce(stored, 0) <> coalesce(counted, 0)
$$;

-- Adds to each place what its counters lack. Each writer has changed both or neither in the snapshot: so this may run beside writers.
create function correct_holdings() returns void language plpgsql as $$
begin
  -- Two would both add it.
  perform pg_advisory_xact_lock(hashtext('correct_holdings'));
  insert into holding as held ("of", place, slot, rows)
  select wrong."of", wrong.place, pg_backend_pid(), counted - stored from verify_holdings() wrong order by 1, 2
  on conflict ("of", place, slot) do update set rows = held.rows + excluded.rows;
end
$$;

-- Adds the counters of connections that ended to slot 0, and lets go what came to nothing there, as `fold_change_counters` does.
create function fold_holdings() returns void language sql as $$
  with ended as (
    select "of", place, slot from holding
    where slot <> 0 and slot not in (select pid from pg_stat_activity where pid is not null)
    order by "of", place, slot
    for update skip locked
  ), gone as (
    delete from holding held using ended
    where held."of" = ended."of" and held.place = ended.place and held.slot = ended.slot
    returning held."of", held.place, held.rows
  )
  insert into holding as held ("of", place, slot, rows)
  select "of", place, 0, sum(rows) from gone group by "of", place having sum(rows) <> 0 order by "of", place
  on conflict ("of", place, slot) do update set rows = held.rows + excluded.rows
$$;
