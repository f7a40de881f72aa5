-- How many rows of a table there are of each value of an expression is counted as what lies in each place is (`holding`), under a name
-- of its own: for conditions that lists are narrowed by all the time and many rows fulfil.
create function count_by(counted regclass, value text, named text) returns void language plpgsql as $$
declare
  known_as text := replace(named, '.', '_');
  keep text := format('
    insert into holding as held ("of", place, slot, rows)
    select %L, place, pg_backend_pid(), sum(change) from (%%s) changed
    where place is not null group by place having sum(change) <> 0 order by place
    on conflict ("of", place, slot) do update set rows = held.rows + excluded.rows;', named);
  came text := format('select %s as place, 1 as change from new_rows', value);
  went text := format('select %s as place, -1 as change from old_rows', value);
  sides record;
begin
  for sides in
    select * from (values
      ('insert', 'new table as new_rows', came),
      ('delete', 'old table as old_rows', went),
      ('update', 'old table as old_rows new table as new_rows', came || ' union all ' || went)
    ) side (operation, tables, changes)
  loop
    execute format('create function count_%s_%s() returns trigger language plpgsql as $f$ begin %s return null; end $f$',
      known_as, sides.operation, format(keep, sides.changes));
    execute format('create trigger count_%s_%s after %s on %s referencing %s for each statement execute function count_%s_%s()',
      known_as, sides.operation, sides.operation, counted, sides.tables, known_as, sides.operation);
  end loop;
  execute format('create function count_%s_truncate() returns trigger language plpgsql as
    $f$ begin delete from holding where "of" = %L; return null; end $f$', known_as, named);
  execute format('create trigger count_%s_truncate after truncate on %s for each statement execute function count_%s_truncate()',
    known_as, counted, known_as);
  -- What is there already; nobody writes until it is counted.
  execute format('lock table %s in share mode', counted);
  execute format('insert into holding select %L, %s, 0, count(*) from %s where %s is not null group by %s',
    named, value, counted, value, value);
end
$$;

select count_by('stock_item', 'in_stock::integer', 'stock_item.in_stock');

create or replace function verify_holdings() returns table ("of" text, place integer, stored bigint, counted bigint) language sql stable as $$
  select "of", place, coalesce(stored, 0), coalesce(counted, 0)
  from (
    select 'stock_item' as "of", location as place, count(*) as counted from stock_item where location is not null group by location
    union all
    select 'part', category, count(*) from part where category is not null group by category
    union all
    select 'stock_item.in_stock', in_stock::integer, count(*) from stock_item group by in_stock
  ) there
  full join (
    select held."of"::text, held.place, sum(held.rows)::bigint as stored from holding held group by held."of", held.place
  ) kept using ("of", place)
  where coalesce(stored, 0) <> coalesce(counted, 0)
$$;
