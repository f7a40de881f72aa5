-- Triggers lock what they write in the order of docs/locks.md: build orders, stock items, then the sums of all parts at once. Where a trigger
-- needs a lock out of order it does not wait for it: the service runs the transaction again with the lock of all writes for itself
-- (`stockroom.exclusive`), and then nobody else has the row.

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
  perform lock_build_lines(
    array(select pk from build_line where build = any (builds) and bom_item in (select pk from changed)), array(select sub_part from changed)
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
  others integer[];
begin
  if current_setting('stockroom.exclusive', true) = 'on' then return old; end if;
  perform from return_order where pk in (select "order" from return_order_line where item = old.pk) order by pk for no key update nowait;
  perform from stock_item where parent = old.pk order by pk for no key update nowait;
  others := array(
    select pk from stock_item where belongs_to = old.pk
    union select stock_item from build_allocation where install_into = old.pk
  );
  if others <> '{}' then
    perform from stock_item where pk = any (others) order by pk for no key update nowait;
    perform from part_quantity where pk in (
      select unnest(path) from part where pk in (select part from stock_item where pk = any (others))
    ) order by pk for no key update nowait;
  end if;
  return old;
end
$$;
--> statement-breakpoint
create trigger lock_what_goes_with_item before delete on stock_item for each row execute function lock_what_goes_with_item();
