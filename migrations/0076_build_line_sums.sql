-- Sums that are kept while the rows that they sum change. Here: what is put by for build orders and what they ask for. And the lines of
-- build orders, which follow bills of materials. The rules are those of 0002_quantities.sql.

create trigger share_quantities before insert or update or delete on build_line
  for each statement execute function share_quantities();
--> statement-breakpoint
create trigger share_quantities before insert or update or delete on build_allocation
  for each statement execute function share_quantities();
--> statement-breakpoint
-- the lines of build orders follow
create trigger share_quantities before insert or update or delete on bom_item
  for each statement execute function share_quantities();
--> statement-breakpoint

-- Allocations ---------------------------------------------------------------------------------------------------------------

-- What is put by of a stock item for build orders is the sum of these open allocations. A check of the table refuses more than there is.
create function count_build_allocations() returns trigger language plpgsql as $$
declare
  items integer[];
  added numeric[];
begin
  if tg_op = 'INSERT' then
    select array_agg(stock_item), array_agg(quantity) into items, added
    from (select stock_item, sum(quantity) quantity from new_rows where is_open group by stock_item) change;
  elsif tg_op = 'DELETE' then
    select array_agg(stock_item), array_agg(quantity) into items, added
    from (select stock_item, -sum(quantity) quantity from old_rows where is_open group by stock_item) change;
  else
    select array_agg(stock_item), array_agg(quantity) into items, added from (
      select stock_item, sum(quantity) quantity from (
        select stock_item, quantity from new_rows where is_open
        union all
        select stock_item, -quantity from old_rows where is_open
      ) both_rows
      group by stock_item having sum(quantity) <> 0
    ) change;
  end if;
  if items is null then return null; end if;

  perform from stock_item where pk = any (items) order by pk for no key update;
  update stock_item i set allocated_to_build_orders = i.allocated_to_build_orders + d.quantity
  from unnest(items, added) d (item, quantity)
  where i.pk = d.item;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_allocations_insert after insert on build_allocation referencing new table as new_rows
  for each statement execute function count_build_allocations();
--> statement-breakpoint
create trigger count_allocations_update after update on build_allocation referencing old table as old_rows new table as new_rows
  for each statement execute function count_build_allocations();
--> statement-breakpoint
create trigger count_allocations_delete after delete on build_allocation referencing old table as old_rows
  for each statement execute function count_build_allocations();
--> statement-breakpoint

-- What is put by of a part is what is put by of its items.
alter type stock_change add attribute for_builds numeric;
--> statement-breakpoint
create or replace function add_stock_changes(changes stock_change[]) returns void language plpgsql as $$
declare
  changed integer[];
begin
  if changes is null then return; end if;
  select array_agg(part) into changed from (
    select c.part from unnest(changes) c left join stock_location l on l.pk = c.location
    group by c.part
    having sum(c.in_stock) <> 0 or sum(c.items) <> 0 or sum(c.allocated) <> 0 or sum(c.for_builds) <> 0
      or coalesce(sum(c.in_stock) filter (where l.external), 0) <> 0
  ) part;
  if changed is null then return; end if;

  perform lock_quantities(changed);
  update part_quantity q
  set in_stock = q.in_stock + d.in_stock, external_stock = q.external_stock + d.external_stock,
      stock_item_count = q.stock_item_count + d.items, variant_stock = q.variant_stock + d.variant_stock,
      allocated_to_sales_orders = q.allocated_to_sales_orders + d.allocated,
      allocated_to_build_orders = q.allocated_to_build_orders + d.for_builds
  from (
    select above.pk,
      coalesce(sum(c.in_stock) filter (where above.pk = p.pk), 0) in_stock,
      coalesce(sum(c.in_stock) filter (where above.pk = p.pk and l.external), 0) external_stock,
      coalesce(sum(c.items) filter (where above.pk = p.pk), 0) items,
      coalesce(sum(c.allocated) filter (where above.pk = p.pk), 0) allocated,
      coalesce(sum(c.for_builds) filter (where above.pk = p.pk), 0) for_builds,
      coalesce(sum(c.in_stock) filter (where above.pk <> p.pk), 0) variant_stock
    from unnest(changes) c
    join part p on p.pk = c.part
    cross join unnest(p.path) above (pk)
    left join stock_location l on l.pk = c.location
    group by above.pk
  ) d
  where q.pk = d.pk
    and (d.in_stock <> 0 or d.external_stock <> 0 or d.items <> 0 or d.allocated <> 0 or d.for_builds <> 0
      or d.variant_stock <> 0);
end
$$;
--> statement-breakpoint
create or replace function count_stock() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated, for_builds)::stock_change)) from (
      select part, location, coalesce(sum(quantity) filter (where in_stock), 0) in_stock, count(*) items,
        sum(allocated_to_sales_orders) allocated, sum(allocated_to_build_orders) for_builds
      from new_rows group by part, location
    ) change;
  elsif tg_op = 'DELETE' then
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated, for_builds)::stock_change)) from (
      select part, location, coalesce(sum(-quantity) filter (where in_stock), 0) in_stock, -count(*) items,
        -sum(allocated_to_sales_orders) allocated, -sum(allocated_to_build_orders) for_builds
      from old_rows group by part, location
    ) change;
  else
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated, for_builds)::stock_change)) from (
      select part, location, sum(in_stock) in_stock, sum(items) items, sum(allocated) allocated, sum(for_builds) for_builds from (
        select part, location, case when in_stock then quantity else 0 end in_stock, 1 items, allocated_to_sales_orders allocated,
          allocated_to_build_orders for_builds
        from new_rows
        union all
        select part, location, case when in_stock then -quantity else 0 end, -1, -allocated_to_sales_orders, -allocated_to_build_orders
        from old_rows
      ) both_rows
      group by part, location
      having sum(in_stock) <> 0 or sum(items) <> 0 or sum(allocated) <> 0 or sum(for_builds) <> 0
    ) change;
  end if;
  return null;
end
$$;
--> statement-breakpoint

-- Lines ---------------------------------------------------------------------------------------------------------------------

create function count_build_lines() returns trigger language plpgsql as $$
declare
  builds integer[];
  parts integer[];
  added numeric[];
  changed integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(build), array_agg(part), array_agg(quantity) into builds, parts, added
    from (select build, part, sum(quantity) quantity from new_rows group by build, part) change;
  elsif tg_op = 'DELETE' then
    select array_agg(build), array_agg(part), array_agg(quantity) into builds, parts, added
    from (select build, part, -sum(quantity) quantity from old_rows group by build, part) change;
  else
    select array_agg(build), array_agg(part), array_agg(quantity) into builds, parts, added from (
      select build, part, sum(quantity) quantity from (
        select build, part, quantity from new_rows
        union all
        select build, part, -quantity from old_rows
      ) both_rows
      group by build, part having sum(quantity) <> 0
    ) change;
  end if;
  if builds is null then return null; end if;

  -- the build order cannot be finished or cancelled between now and the end of the transaction
  perform from build_order where pk = any (builds) order by pk for no key update;
  select array_agg(distinct d.part) into changed
  from unnest(builds, parts, added) d (build, part, quantity) join build_order b on b.pk = d.build
  where is_active_build(b.status);
  if changed is null then return null; end if;

  perform lock_quantities(changed);
  update part_quantity q set required_for_build_orders = q.required_for_build_orders + need.quantity
  from (
    select d.part, sum(d.quantity) quantity
    from unnest(builds, parts, added) d (build, part, quantity) join build_order b on b.pk = d.build
    where is_active_build(b.status) group by d.part
  ) need
  where q.pk = need.part and need.quantity <> 0;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_lines_insert after insert on build_line referencing new table as new_rows
  for each statement execute function count_build_lines();
--> statement-breakpoint
create trigger count_lines_update after update on build_line referencing old table as old_rows new table as new_rows
  for each statement execute function count_build_lines();
--> statement-breakpoint
create trigger count_lines_delete after delete on build_line referencing old table as old_rows
  for each statement execute function count_build_lines();
--> statement-breakpoint

-- A build order that is ended, or goes while it is worked on: its lines ask for nothing any more.
create function count_build_order() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'UPDATE' and is_active_build(new.status) then 1 else -1 end;
begin
  perform lock_quantities(array(select part from build_line where build = old.pk));
  update part_quantity q set required_for_build_orders = q.required_for_build_orders + sign * d.quantity
  from (select part, sum(quantity) quantity from build_line where build = old.pk group by part) d
  where q.pk = d.part;
  return case when tg_op = 'UPDATE' then new else old end;
end
$$;
--> statement-breakpoint
create trigger count_order after update of status on build_order
  for each row when (is_active_build(old.status) <> is_active_build(new.status))
  execute function count_build_order();
--> statement-breakpoint
create trigger count_order_delete before delete on build_order
  for each row when (is_active_build(old.status))
  execute function count_build_order();
--> statement-breakpoint

-- Bills of materials --------------------------------------------------------------------------------------------------------

-- Makes the lines of build orders that their bills of materials ask for, and brings their quantities up to date.
create function make_build_lines(builds integer[]) returns void language plpgsql as $$
begin
  insert into build_line (build, bom_item, part, quantity)
  select b.pk, item.pk, item.sub_part, bom_required(item.quantity, item.overage, b.quantity)
  from build_order b cross join lateral bom_lines(b.part) item
  where b.pk = any (builds)
  order by b.pk, item.pk
  on conflict (build, bom_item) do update set quantity = excluded.quantity
  where build_line.quantity <> excluded.quantity;
end
$$;
--> statement-breakpoint
-- Whoever writes a bill of materials waits for whoever makes lines of it, and the other way round (refuse_bom_loops, `lockBom`).
create function make_lines_of_build() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('bom'), 0);
  perform make_build_lines(array[new.pk]);
  return null;
end
$$;
--> statement-breakpoint
create trigger make_lines_insert after insert on build_order
  for each row execute function make_lines_of_build();
--> statement-breakpoint
create trigger make_lines_update after update of quantity on build_order
  for each row when (old.quantity <> new.quantity) execute function make_lines_of_build();
--> statement-breakpoint
-- Build orders that are worked on get a new line of a bill of materials, and follow one that changes.
create function follow_bom_items() returns trigger language plpgsql as $$
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
    select line.build from changed item join build_line line on line.bom_item = item.pk and line.part <> item.sub_part
  );
  if builds = '{}' then return null; end if;
  perform from build_order where pk = any (builds) order by pk for no key update;
  update build_line line set part = item.sub_part from changed item
  where line.bom_item = item.pk and line.part <> item.sub_part;
  perform make_build_lines(array(select pk from build_order where pk = any (builds) and is_active_build(status)));
  return null;
end
$$;
--> statement-breakpoint
create trigger follow_insert after insert on bom_item
  referencing new table as changed for each statement execute function follow_bom_items();
--> statement-breakpoint
create trigger follow_update after update on bom_item
  referencing old table as former new table as changed for each statement execute function follow_bom_items();
--> statement-breakpoint
-- With a line of a bill of materials go the lines of build orders, and what is put by for these: build orders and items are locked first.
create function lock_builds_of_bom_item() returns trigger language plpgsql as $$
begin
  perform from build_order where pk in (select build from build_line where bom_item = old.pk) order by pk for no key update;
  perform from stock_item where pk in (
    select allocation.stock_item from build_allocation allocation join build_line line on line.pk = allocation.build_line
    where line.bom_item = old.pk
  ) order by pk for no key update;
  return old;
end
$$;
--> statement-breakpoint
create trigger lock_builds before delete on bom_item
  for each row execute function lock_builds_of_bom_item();
--> statement-breakpoint
-- the build orders that there are already
select make_build_lines(array(select pk from build_order));
--> statement-breakpoint

-- Proof ---------------------------------------------------------------------------------------------------------------------

-- Every sum of a part that is not what a fresh count gives. Empty, unless something is broken.
create or replace function verify_quantities() returns table (part integer, what text, stored numeric, counted numeric) language sql stable as $$
  with stock as (
    select i.part, sum(i.quantity) filter (where i.in_stock) in_stock, count(*) items,
      sum(i.quantity) filter (where i.in_stock and l.external) external_stock, sum(i.allocated_to_sales_orders) allocated,
      sum(i.allocated_to_build_orders) for_builds
    from stock_item i left join stock_location l on l.pk = i.location group by i.part
  ), variants as (
    select template part, sum(stock.in_stock) variant_stock
    from part p join stock on stock.part = p.pk, unnest(p.path) template where template <> p.pk group by template
  ), orders as (
    select s.part, sum((line.quantity - line.received) * s.pack_quantity_native) ordering
    from purchase_order_line line join purchase_order o on o.pk = line."order" join supplier_part s on s.pk = line.part
    where is_open_order(o.status) and line.quantity > line.received group by s.part
  ), sales as (
    select line.part, sum(line.quantity - line.shipped) required
    from sales_order_line line join sales_order o on o.pk = line."order"
    where is_open_sales_order(o.status) and line.quantity > line.shipped group by line.part
  ), builds as (
    select b.part, sum(b.quantity) building from build_order b where is_active_build(b.status) group by b.part
  ), needs as (
    select line.part, sum(line.quantity) required from build_line line join build_order b on b.pk = line.build
    where is_active_build(b.status) group by line.part
  ), suppliers as (
    select s.part, count(*) suppliers from supplier_part s group by s.part
  )
  select p.pk, sums.what, sums.stored, sums.counted
  from part p
  left join part_quantity q on q.pk = p.pk
  left join stock on stock.part = p.pk
  left join variants on variants.part = p.pk
  left join orders on orders.part = p.pk
  left join sales on sales.part = p.pk
  left join builds on builds.part = p.pk
  left join needs on needs.part = p.pk
  left join suppliers on suppliers.part = p.pk
  cross join lateral (values
    ('in_stock', q.in_stock, coalesce(stock.in_stock, 0)),
    ('stock_item_count', q.stock_item_count, coalesce(stock.items, 0)),
    ('external_stock', q.external_stock, coalesce(stock.external_stock, 0)),
    ('variant_stock', q.variant_stock, coalesce(variants.variant_stock, 0)),
    ('ordering', q.ordering, coalesce(orders.ordering, 0)),
    ('suppliers', q.suppliers, coalesce(suppliers.suppliers, 0)),
    ('allocated_to_sales_orders', q.allocated_to_sales_orders, coalesce(stock.allocated, 0)),
    ('required_for_sales_orders', q.required_for_sales_orders, coalesce(sales.required, 0)),
    ('building', q.building, coalesce(builds.building, 0)),
    ('allocated_to_build_orders', q.allocated_to_build_orders, coalesce(stock.for_builds, 0)),
    ('required_for_build_orders', q.required_for_build_orders, coalesce(needs.required, 0))
  ) sums (what, stored, counted)
  where sums.stored is distinct from sums.counted
$$;
--> statement-breakpoint
-- Every stock item of which another quantity is put by for build orders than its open allocations say. Empty, unless something is broken.
create function verify_build_allocations() returns table (item integer, stored numeric, counted numeric) language sql stable as $$
  select i.pk, i.allocated_to_build_orders, coalesce(allocated.quantity, 0)
  from stock_item i
  left join (
    select stock_item item, sum(quantity) quantity from build_allocation where is_open group by stock_item
  ) allocated on allocated.item = i.pk
  where i.allocated_to_build_orders <> coalesce(allocated.quantity, 0)
$$;
--> statement-breakpoint

select watch_changes('build_line'), watch_changes('build_allocation');
--> statement-breakpoint
select watch_events('build_line', array['part']), watch_events('build_allocation');
--> statement-breakpoint
drop trigger record_events_insert on stock_item;
--> statement-breakpoint
drop trigger record_events_update on stock_item;
--> statement-breakpoint
drop trigger record_events_delete on stock_item;
--> statement-breakpoint
select watch_events('stock_item', array['allocated_to_sales_orders', 'allocated_to_build_orders', 'barcode_key']);
