-- Sums that are kept while the rows that they sum change. Here: the stock of a part.
--
-- Each trigger sees all rows of its statement at once, works out by how much each sum changes, locks the rows that hold the sums
-- in the order of their keys, and adds. Four rules make this right while others write too:
--   1. While anyone changes sums, no part gets another template and no location becomes external. Writers of sums share a lock,
--      taken before their statement locks any row; the rare other changes take it for themselves.
--   2. Whoever changes a sum of a part locks its part_quantity and those of all templates above it, in one go and in key order.
--   3. What a change is worth is read after that lock, in a statement of its own, which sees all that was committed before it.
--   4. Whoever goes takes its share along: a part, supplier part or order subtracts before it is deleted, and the rows that are
--      deleted with it then find nothing to subtract from.
-- A transaction that makes several statements about several parts calls lock_quantities() with all of them first, and a
-- transaction that changes lines locks their order first.

-- Before the statement: no row is locked yet, so that nobody who waits for one of our rows holds this lock up.
create function share_quantities() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('quantities'), 0);
  return null;
end
$$;

create function own_quantities() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('quantities'), 0);
  return null;
end
$$;

create trigger share_quantities before insert or update or delete on stock_item
  for each statement execute function share_quantities();
create trigger own_quantities before delete or update of variant_of on part
  for each statement execute function own_quantities();
create trigger own_quantities before delete or update of external on stock_location
  for each statement execute function own_quantities();

-- Locks the sums of these parts and of all templates above them.
create function lock_quantities(parts integer[]) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('quantities'), 0);
  perform from part_quantity where pk in (select unnest(path) from part where pk = any (parts)) order by pk for no key update;
end
$$;

-- Stock ---------------------------------------------------------------------------------------------------------------------

-- By how much the stock of a part in a location changed. `in_stock` counts only items that are in stock, `items` all.
create type stock_change as (part integer, location integer, in_stock numeric, items integer);

create function add_stock_changes(changes stock_change[]) returns void language plpgsql as $$
declare
  changed integer[];
begin
  if changes is null then return; end if;
  select array_agg(part) into changed from (
    select c.part from unnest(changes) c left join stock_location l on l.pk = c.location
    group by c.part
    having sum(c.in_stock) <> 0 or sum(c.items) <> 0 or coalesce(sum(c.in_stock) filter (where l.external), 0) <> 0
  ) part;
  if changed is null then return; end if;

  perform lock_quantities(changed);
  update part_quantity q
  set in_stock = q.in_stock + d.in_stock, external_stock = q.external_stock + d.external_stock,
      stock_item_count = q.stock_item_count + d.items, variant_stock = q.variant_stock + d.variant_stock
  from (
    select above.pk,
      coalesce(sum(c.in_stock) filter (where above.pk = p.pk), 0) in_stock,
      coalesce(sum(c.in_stock) filter (where above.pk = p.pk and l.external), 0) external_stock,
      coalesce(sum(c.items) filter (where above.pk = p.pk), 0) items,
      coalesce(sum(c.in_stock) filter (where above.pk <> p.pk), 0) variant_stock
    from unnest(changes) c
    join part p on p.pk = c.part
    cross join unnest(p.path) above (pk)
    left join stock_location l on l.pk = c.location
    group by above.pk
  ) d
  where q.pk = d.pk and (d.in_stock <> 0 or d.external_stock <> 0 or d.items <> 0 or d.variant_stock <> 0);
end
$$;

create function count_stock() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_stock_changes(array_agg((part, location, in_stock, items)::stock_change)) from (
      select part, location, coalesce(sum(quantity) filter (where in_stock), 0) in_stock, count(*) items
      from new_rows group by part, location
    ) change;
  elsif tg_op = 'DELETE' then
    perform add_stock_changes(array_agg((part, location, in_stock, items)::stock_change)) from (
      select part, location, coalesce(sum(-quantity) filter (where in_stock), 0) in_stock, -count(*) items
      from old_rows group by part, location
    ) change;
  else
    perform add_stock_changes(array_agg((part, location, in_stock, items)::stock_change)) from (
      select part, location, sum(in_stock) in_stock, sum(items) items from (
        select part, location, case when in_stock then quantity else 0 end in_stock, 1 items from new_rows
        union all
        select part, location, case when in_stock then -quantity else 0 end, -1 from old_rows
      ) both_rows
      group by part, location
      having sum(in_stock) <> 0 or sum(items) <> 0
    ) change;
  end if;
  return null;
end
$$;

create trigger count_stock_insert after insert on stock_item referencing new table as new_rows
  for each statement execute function count_stock();
create trigger count_stock_update after update on stock_item referencing old table as old_rows new table as new_rows
  for each statement execute function count_stock();
create trigger count_stock_delete after delete on stock_item referencing old table as old_rows
  for each statement execute function count_stock();

-- A location that becomes external, or stops being so, or goes while it is: its stock changes sides.
create function count_external_stock() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'UPDATE' and new.external then 1 else -1 end;
begin
  perform lock_quantities(array(select distinct part from stock_item where location = old.pk and in_stock));
  update part_quantity q set external_stock = q.external_stock + sign * d.quantity
  from (select part, sum(quantity) quantity from stock_item where location = old.pk and in_stock group by part) d
  where q.pk = d.part;
  return case when tg_op = 'UPDATE' then new else old end;
end
$$;

create trigger count_external_stock after update of external on stock_location
  for each row when (old.external is distinct from new.external)
  execute function count_external_stock();
create trigger count_external_stock_delete before delete on stock_location
  for each row when (old.external)
  execute function count_external_stock();

-- Parts ---------------------------------------------------------------------------------------------------------------------

create function make_part_quantity() returns trigger language plpgsql as $$
begin
  insert into part_quantity (pk) select pk from new_rows;
  return null;
end
$$;

create trigger make_part_quantity after insert on part referencing new table as new_rows
  for each statement execute function make_part_quantity();

-- Parts that got another template: what lies below the old templates and the new ones is counted afresh. This is rare.
create function count_variant_stock() returns trigger language plpgsql as $$
declare
  touched integer[];
begin
  select array_agg(distinct above) into touched
  from old_rows o join new_rows n using (pk) join part p using (pk), unnest(o.path || p.path) above
  where o.variant_of is distinct from n.variant_of;
  if touched is null then return null; end if;

  perform lock_quantities(touched);
  update part_quantity q set variant_stock = counted.quantity
  from (
    select template, coalesce(sum(below.in_stock), 0) quantity
    from unnest(touched) template
    left join part p on p.path @> array[template] and p.pk <> template
    left join part_quantity below on below.pk = p.pk
    group by template
  ) counted
  where q.pk = counted.template and q.variant_stock <> counted.quantity;
  return null;
end
$$;

create trigger count_variant_stock after update on part referencing old table as old_rows new table as new_rows
  for each statement execute function count_variant_stock();

-- A part that goes leaves its templates without its stock.
create function take_variant_stock_along() returns trigger language plpgsql as $$
begin
  perform lock_quantities(array[old.pk]);
  update part_quantity q set variant_stock = q.variant_stock - own.in_stock
  from part_quantity own
  where own.pk = old.pk and own.in_stock <> 0 and q.pk = any (old.path) and q.pk <> old.pk;
  return old;
end
$$;

create trigger take_variant_stock_along before delete on part
  for each row when (old.variant_of is not null)
  execute function take_variant_stock_along();
