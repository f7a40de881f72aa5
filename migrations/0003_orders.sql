-- Sums that are kept while the rows that they sum change. Here: what is on order, the suppliers of a part, and the line counts of
-- purchase orders. The rules are those of the migration before.

create trigger share_quantities before insert or update or delete on supplier_part
  for each statement execute function share_quantities();
create trigger share_quantities before insert or update or delete on purchase_order_line
  for each statement execute function share_quantities();
create trigger share_quantities before delete or update of status on purchase_order
  for each statement execute function share_quantities();

-- Locks the sums of the parts that these supplier parts are about.
create function lock_supplied_quantities(supplier_parts integer[]) returns void language plpgsql as $$
declare
  wanted integer[];
  locked integer[] := '{}';
begin
  loop
    select array_agg(distinct part) into wanted from supplier_part where pk = any (supplier_parts);
    -- A supplier part may turn to another part while we wait. Once the sums of its part are locked, it stays.
    exit when wanted is null or wanted <@ locked;
    perform lock_quantities(wanted);
    locked := wanted;
  end loop;
end
$$;

-- Whether lines of a purchase order in this state are still to come.
create function is_open_order(status integer) returns boolean language sql immutable as $$
  select status in (10, 20)
$$;

-- Supplier parts ------------------------------------------------------------------------------------------------------------

-- How many packs of a supplier part are still to come.
create function open_packs(supplier_part integer) returns numeric language sql stable as $$
  select coalesce(sum(line.quantity - line.received), 0)
  from purchase_order_line line join purchase_order on purchase_order.pk = line."order"
  where line.part = supplier_part and line.quantity > line.received and is_open_order(purchase_order.status)
$$;

create function count_suppliers() returns trigger language plpgsql as $$
begin
  perform lock_quantities(array(select distinct part from new_rows));
  update part_quantity q set suppliers = q.suppliers + d.added
  from (select part, count(*) added from new_rows group by part) d
  where q.pk = d.part;
  return null;
end
$$;

create trigger count_suppliers after insert on supplier_part referencing new table as new_rows
  for each statement execute function count_suppliers();

-- A supplier part that turns to another part, or comes in other packs.
create function move_supplier_part() returns trigger language plpgsql as $$
declare
  packs numeric;
begin
  perform lock_quantities(array[old.part, new.part]);
  packs := open_packs(new.pk);
  update part_quantity set suppliers = suppliers - 1, ordering = ordering - packs * old.pack_quantity_native where pk = old.part;
  update part_quantity set suppliers = suppliers + 1, ordering = ordering + packs * new.pack_quantity_native where pk = new.part;
  return null;
end
$$;

create trigger move_supplier_part after update of part, pack_quantity_native on supplier_part
  for each row when (old.part is distinct from new.part or old.pack_quantity_native is distinct from new.pack_quantity_native)
  execute function move_supplier_part();

-- A supplier part that goes: its lines stay, but nobody can tell any more what is to come with them.
create function take_supplier_part_along() returns trigger language plpgsql as $$
begin
  perform lock_quantities(array[old.part]);
  update part_quantity set suppliers = suppliers - 1, ordering = ordering - open_packs(old.pk) * old.pack_quantity_native
  where pk = old.part;
  return old;
end
$$;

create trigger take_supplier_part_along before delete on supplier_part
  for each row execute function take_supplier_part_along();

-- Purchase orders -----------------------------------------------------------------------------------------------------------

-- By how much the lines of an order for a supplier part changed: packs still to come, lines, lines that came in full.
create type line_change as ("order" integer, part integer, packs numeric, lines integer, completed integer);

create function add_line_changes(changes line_change[]) returns void language plpgsql as $$
declare
  changed integer[];
begin
  if changes is null then return; end if;
  -- The order cannot be issued, completed or cancelled between now and the end of the transaction.
  perform from purchase_order where pk in (select c."order" from unnest(changes) c) order by pk for no key update;
  update purchase_order o set line_items = o.line_items + d.lines, completed_lines = o.completed_lines + d.completed
  from (
    select c."order", sum(c.lines) lines, sum(c.completed) completed from unnest(changes) c group by c."order"
  ) d
  where o.pk = d."order" and (d.lines <> 0 or d.completed <> 0);

  select array_agg(distinct c.part) into changed
  from unnest(changes) c join purchase_order o on o.pk = c."order"
  where c.part is not null and c.packs <> 0 and is_open_order(o.status);
  if changed is null then return; end if;

  perform lock_supplied_quantities(changed);
  update part_quantity q set ordering = q.ordering + d.quantity
  from (
    select s.part, sum(c.packs * s.pack_quantity_native) quantity
    from unnest(changes) c join purchase_order o on o.pk = c."order" join supplier_part s on s.pk = c.part
    where is_open_order(o.status)
    group by s.part
  ) d
  where q.pk = d.part and d.quantity <> 0;
end
$$;

create function count_lines() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_line_changes(array_agg(("order", part, packs, lines, completed)::line_change)) from (
      select "order", part, sum(greatest(quantity - received, 0)) packs, count(*) lines,
        count(*) filter (where received >= quantity) completed
      from new_rows group by "order", part
    ) change;
  elsif tg_op = 'DELETE' then
    perform add_line_changes(array_agg(("order", part, packs, lines, completed)::line_change)) from (
      select "order", part, -sum(greatest(quantity - received, 0)) packs, -count(*) lines,
        -count(*) filter (where received >= quantity) completed
      from old_rows group by "order", part
    ) change;
  else
    perform add_line_changes(array_agg(("order", part, packs, lines, completed)::line_change)) from (
      select "order", part, sum(packs) packs, sum(lines) lines, sum(completed) completed from (
        select "order", part, greatest(quantity - received, 0) packs, 1 lines, (received >= quantity)::integer completed
        from new_rows
        union all
        select "order", part, -greatest(quantity - received, 0), -1, -(received >= quantity)::integer
        from old_rows
      ) both_rows
      group by "order", part
      having sum(packs) <> 0 or sum(lines) <> 0 or sum(completed) <> 0
    ) change;
  end if;
  return null;
end
$$;

create trigger count_lines_insert after insert on purchase_order_line referencing new table as new_rows
  for each statement execute function count_lines();
create trigger count_lines_update after update on purchase_order_line referencing old table as old_rows new table as new_rows
  for each statement execute function count_lines();
create trigger count_lines_delete after delete on purchase_order_line referencing old table as old_rows
  for each statement execute function count_lines();

-- An order that is opened, closed, or goes while it is open: all its lines count, or no longer do.
create function count_order() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'UPDATE' and is_open_order(new.status) then 1 else -1 end;
begin
  perform lock_supplied_quantities(array(
    select part from purchase_order_line where "order" = old.pk and part is not null and quantity > received
  ));
  update part_quantity q set ordering = q.ordering + sign * d.quantity
  from (
    select s.part, sum((line.quantity - line.received) * s.pack_quantity_native) quantity
    from purchase_order_line line join supplier_part s on s.pk = line.part
    where line."order" = old.pk and line.quantity > line.received
    group by s.part
  ) d
  where q.pk = d.part;
  return case when tg_op = 'UPDATE' then new else old end;
end
$$;

create trigger count_order after update of status on purchase_order
  for each row when (is_open_order(old.status) <> is_open_order(new.status))
  execute function count_order();
create trigger count_order_delete before delete on purchase_order
  for each row when (is_open_order(old.status))
  execute function count_order();

-- Proof ---------------------------------------------------------------------------------------------------------------------

-- Every sum of a part that is not what a fresh count gives. Empty, unless something is broken.
create function verify_quantities() returns table (part integer, what text, stored numeric, counted numeric) language sql stable as $$
  with stock as (
    select i.part, sum(i.quantity) filter (where i.in_stock) in_stock, count(*) items,
      sum(i.quantity) filter (where i.in_stock and l.external) external_stock
    from stock_item i left join stock_location l on l.pk = i.location group by i.part
  ), variants as (
    select template part, sum(stock.in_stock) variant_stock
    from part p join stock on stock.part = p.pk, unnest(p.path) template where template <> p.pk group by template
  ), orders as (
    select s.part, sum((line.quantity - line.received) * s.pack_quantity_native) ordering
    from purchase_order_line line join purchase_order o on o.pk = line."order" join supplier_part s on s.pk = line.part
    where is_open_order(o.status) and line.quantity > line.received group by s.part
  ), suppliers as (
    select s.part, count(*) suppliers from supplier_part s group by s.part
  )
  select p.pk, sums.what, sums.stored, sums.counted
  from part p
  left join part_quantity q on q.pk = p.pk
  left join stock on stock.part = p.pk
  left join variants on variants.part = p.pk
  left join orders on orders.part = p.pk
  left join suppliers on suppliers.part = p.pk
  cross join lateral (values
    ('in_stock', q.in_stock, coalesce(stock.in_stock, 0)),
    ('stock_item_count', q.stock_item_count, coalesce(stock.items, 0)),
    ('external_stock', q.external_stock, coalesce(stock.external_stock, 0)),
    ('variant_stock', q.variant_stock, coalesce(variants.variant_stock, 0)),
    ('ordering', q.ordering, coalesce(orders.ordering, 0)),
    ('suppliers', q.suppliers, coalesce(suppliers.suppliers, 0))
  ) sums (what, stored, counted)
  where sums.stored is distinct from sums.counted
$$;

-- Every line count of a purchase order that is not what a fresh count gives. Empty, unless something is broken.
create function verify_line_counts() returns table ("order" integer, what text, stored integer, counted bigint) language sql stable as $$
  select o.pk, counts.what, counts.stored, counts.counted
  from purchase_order o
  cross join lateral (
    select count(*) lines, count(*) filter (where line.received >= line.quantity) completed
    from purchase_order_line line where line."order" = o.pk
  ) lines
  cross join lateral (values
    ('line_items', o.line_items, lines.lines), ('completed_lines', o.completed_lines, lines.completed)
  ) counts (what, stored, counted)
  where counts.stored <> counts.counted
$$;
