-- Triggers lock what they write in the order of docs/locks.md: build orders, stock items, then the sums of all parts at once. Where a trigger
-- needs a row out of order that somebody else has locked, it does not wait but fails with the code LK001: the service runs the transaction again
-- with the lock of all writes for itself (`stockroom.exclusive`), and then nobody else has that row.

-- Locks what follows lines of build orders that change or go, whose build orders are locked: the stock that is put by for them, and the sums of
-- their parts, of that stock's parts and of others.
create function lock_build_lines(lines integer[], others integer[]) returns void language plpgsql as $$
declare
  items integer[] := array(select distinct stock_item from build_allocation where build_line = any (lines));
begin
  perform from stock_item where pk = any (items) order by pk for no key update;
  perform lock_quantities(array(
    select part from build_line where pk = any (lines)
    union select part from stock_item where pk = any (items)
    union select unnest(others)
  ));
end
$$;
--> statement-breakpoint
-- Locks what follows when build orders, which are locked, are brought up to date with their bills of materials (`follow_bills`): of their lines
-- that go, of those that are made or become another quantity, and of these.
create function lock_bills(builds integer[], lines integer[], others integer[]) returns void language plpgsql as $$
begin
  perform lock_build_lines(
    lines || array(
      select line.pk from build_line line join build_order b on b.pk = line.build
      where b.pk = any (builds) and is_active_build(b.status)
        and not exists (select from bom_lines(b.part) item where item.pk = line.bom_item)
    ),
    others || array(
      select item.sub_part from build_order b cross join lateral bom_lines(b.part) item
      left join build_line line on line.build = b.pk and line.bom_item = item.pk
      where b.pk = any (builds) and is_active_build(b.status)
        and line.quantity is distinct from bom_required(item.quantity, item.overage, b.quantity)
    )
  );
end
$$;
--> statement-breakpoint
-- Locks all that follows lines of bills of materials that go: the lines of build orders that were made of them.
create function lock_builds_of_lines(items integer[]) returns void language plpgsql as $$
declare
  lines integer[];
begin
  perform from build_order where pk in (select build from build_line where bom_item = any (items)) order by pk for no key update;
  lines := array(select pk from build_line where bom_item = any (items));
  if lines <> '{}' then perform lock_build_lines(lines, '{}'); end if;
end
$$;
--> statement-breakpoint
create or replace function lock_builds_of_bom_item() returns trigger language plpgsql as $$
begin
  -- nobody else writes anything; else whoever deletes several lines has called it for all of them
  if current_setting('stockroom.exclusive', true) is distinct from 'on' then perform lock_builds_of_lines(array[old.pk]); end if;
  return old;
end
$$;
--> statement-breakpoint
-- Build orders that are worked on get a new line of a bill of materials, and follow one that changes.
create or replace function follow_bom_items() returns trigger language plpgsql as $$
declare
  builds integer[];
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select from changed join former using (pk)
      where (changed.part, changed.sub_part, changed.quantity, changed.overage, changed.inherited)
        is distinct from (former.part, former.sub_part, former.quantity, former.overage, former.inherited)
    ) then return null; end if;
  end if;
  perform pg_advisory_xact_lock(hashtext('bom'), 0);
  builds := array(
    select b.pk from changed item join part below on below.path @> array[item.part] and (below.pk = item.part or item.inherited)
    join build_order b on b.part = below.pk and is_active_build(b.status)
    union
    select line.build from changed item join build_line line on line.bom_item = item.pk join build_order b on b.pk = line.build
    where is_active_build(b.status) or line.part <> item.sub_part
  );
  if builds = '{}' then return null; end if;
  perform from build_order where pk = any (builds) order by pk for no key update;
  perform lock_bills(
    builds, array(select pk from build_line where build = any (builds) and bom_item in (select pk from changed)),
    array(select sub_part from changed)
  );
  update build_line line set part = item.sub_part from changed item
  where line.bom_item = item.pk and line.part <> item.sub_part;
  perform follow_bills(builds);
  return null;
end
$$;
--> statement-breakpoint
-- A new build order, or another quantity of one, changes the sums of its components and then that of its part: all are locked first.
create or replace function make_lines_of_build() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('bom'), 0);
  perform lock_quantities(array(select sub_part from bom_lines(new.part)) || new.part);
  perform make_build_lines(array[new.pk]);
  return null;
end
$$;
--> statement-breakpoint
-- So does the end of a build order.
create or replace function count_build_order() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'UPDATE' and is_active_build(new.status) then 1 else -1 end;
begin
  perform lock_quantities(array(select part from build_line where build = old.pk) || old.part);
  update part_quantity q set required_for_build_orders = q.required_for_build_orders + sign * d.quantity
  from (select part, sum(quantity) quantity from build_line where build = old.pk group by part) d
  where q.pk = d.part;
  return case when tg_op = 'UPDATE' then new else old end;
end
$$;
--> statement-breakpoint
-- A stock item that goes takes others along that whoever deletes it need not have locked: return orders count one line less, items that were
-- split off it lose their parent, what is installed in it goes, and what is put by for it as an output is free again.
create function lock_what_goes_with_item() returns trigger language plpgsql as $$
declare
  orders integer[];
  split integer[];
  others integer[];
  sums integer[];
  locked integer;
begin
  if current_setting('stockroom.exclusive', true) = 'on' then return old; end if;
  orders := array(select distinct "order" from return_order_line where item = old.pk);
  split := array(select pk from stock_item where parent = old.pk);
  others := array(
    select pk from stock_item where belongs_to = old.pk
    union select stock_item from build_allocation where install_into = old.pk
  );
  sums := case when others <> '{}' then
    array(select distinct unnest(path) from part where pk in (select part from stock_item where pk = any (others)))
  end;
  if cardinality(orders) + cardinality(split) + cardinality(others) = 0 then return old; end if;
  -- none of these are waited for
  with locked_orders as materialized (
    select from return_order where pk = any (orders) order by pk for no key update skip locked
  ), locked_items as materialized (
    select from stock_item where pk = any (split || others) order by pk for no key update skip locked
  ), locked_sums as materialized (
    select from part_quantity where pk = any (sums) order by pk for no key update skip locked
  )
  select (select count(*) from locked_orders) + (select count(*) from locked_items) + (select count(*) from locked_sums) into locked;
  if locked < cardinality(orders) + (select count(distinct pk) from unnest(split || others) pk) + coalesce(cardinality(sums), 0) then
    raise exception 'somebody else has locked what goes with stock item %', old.pk using errcode = 'LK001';
  end if;
  return old;
end
$$;
--> statement-breakpoint
create trigger lock_what_goes_with_item before delete on stock_item for each row execute function lock_what_goes_with_item();
