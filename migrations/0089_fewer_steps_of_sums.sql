ALTER TABLE "part_quantity" ADD COLUMN "in_stock_item_count" integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Sums are kept in fewer steps: each statement inside a trigger costs what reading a row costs, also where it finds nothing to do.

-- How many items of a part are in stock is kept beside how many there are, for lists of what is in stock (ADR 0035).
alter type stock_change add attribute in_stock_items bigint;
--> statement-breakpoint
create or replace function add_stock_changes(changes stock_change[]) returns void language plpgsql as $$
begin
  if changes is null then return; end if;
  -- In one statement: what a change is worth depends on nothing but the templates of a part and where it lies, which stay as long as
  -- anyone shares `quantities`. The sums are locked, in the order of their keys, before the first of them is written.
  with own as materialized (
    select c.part, sum(c.in_stock) in_stock, coalesce(sum(c.in_stock) filter (where l.external), 0) external_stock, sum(c.items) items,
      sum(c.in_stock_items) in_stock_items, sum(c.allocated) allocated, sum(c.for_builds) for_builds
    from unnest(changes) c left join stock_location l on l.pk = c.location
    group by c.part
    having sum(c.in_stock) <> 0 or sum(c.items) <> 0 or sum(c.in_stock_items) <> 0 or sum(c.allocated) <> 0 or sum(c.for_builds) <> 0
      or coalesce(sum(c.in_stock) filter (where l.external), 0) <> 0
  ), d as materialized (
    select above.pk,
      coalesce(sum(own.in_stock) filter (where above.pk = p.pk), 0) in_stock,
      coalesce(sum(own.external_stock) filter (where above.pk = p.pk), 0) external_stock,
      coalesce(sum(own.items) filter (where above.pk = p.pk), 0) items,
      coalesce(sum(own.in_stock_items) filter (where above.pk = p.pk), 0) in_stock_items,
      coalesce(sum(own.allocated) filter (where above.pk = p.pk), 0) allocated,
      coalesce(sum(own.for_builds) filter (where above.pk = p.pk), 0) for_builds,
      coalesce(sum(own.in_stock) filter (where above.pk <> p.pk), 0) variant_stock
    from own join part p on p.pk = own.part cross join unnest(p.path) above (pk)
    group by above.pk
  ), locked as materialized (
    select from part_quantity where pk in (select pk from d) order by pk for no key update
  )
  update part_quantity q
  set in_stock = q.in_stock + d.in_stock, external_stock = q.external_stock + d.external_stock,
      stock_item_count = q.stock_item_count + d.items, in_stock_item_count = q.in_stock_item_count + d.in_stock_items,
      variant_stock = q.variant_stock + d.variant_stock,
      allocated_to_sales_orders = q.allocated_to_sales_orders + d.allocated,
      allocated_to_build_orders = q.allocated_to_build_orders + d.for_builds
  from d
  where q.pk = d.pk and (select count(*) from locked) > 0
    and (d.in_stock <> 0 or d.external_stock <> 0 or d.items <> 0 or d.in_stock_items <> 0 or d.allocated <> 0 or d.for_builds <> 0
      or d.variant_stock <> 0);
end
$$;
--> statement-breakpoint
create or replace function count_stock() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated, for_builds, in_stock_items)::stock_change)) from (
      select part, location, coalesce(sum(quantity) filter (where in_stock), 0) in_stock, count(*) items,
        sum(allocated_to_sales_orders) allocated, sum(allocated_to_build_orders) for_builds,
        count(*) filter (where in_stock) in_stock_items
      from new_rows group by part, location
    ) change;
  elsif tg_op = 'DELETE' then
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated, for_builds, in_stock_items)::stock_change)) from (
      select part, location, coalesce(sum(-quantity) filter (where in_stock), 0) in_stock, -count(*) items,
        -sum(allocated_to_sales_orders) allocated, -sum(allocated_to_build_orders) for_builds,
        -count(*) filter (where in_stock) in_stock_items
      from old_rows group by part, location
    ) change;
  else
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated, for_builds, in_stock_items)::stock_change)) from (
      select part, location, sum(in_stock) in_stock, sum(items) items, sum(allocated) allocated, sum(for_builds) for_builds,
        sum(in_stock_items) in_stock_items
      from (
        select part, location, case when in_stock then quantity else 0 end in_stock, 1 items, allocated_to_sales_orders allocated,
          allocated_to_build_orders for_builds, in_stock::integer in_stock_items
        from new_rows
        union all
        select part, location, case when in_stock then -quantity else 0 end, -1, -allocated_to_sales_orders, -allocated_to_build_orders,
          -in_stock::integer
        from old_rows
      ) both_rows
      group by part, location
      having sum(in_stock) <> 0 or sum(items) <> 0 or sum(allocated) <> 0 or sum(for_builds) <> 0 or sum(in_stock_items) <> 0
    ) change;
  end if;
  return null;
end
$$;
--> statement-breakpoint
-- What is there already; nobody writes until it is counted.
lock table stock_item in share mode;
--> statement-breakpoint
update part_quantity q set in_stock_item_count = counted.items
from (select part, count(*) items from stock_item where in_stock group by part) counted where q.pk = counted.part;
--> statement-breakpoint
create or replace function add_line_changes(changes line_change[]) returns void language plpgsql as $$
declare
  open_orders integer[];
  is_counted boolean;
  changed integer[];
  wanted integer[];
  locked integer[] := '{}';
begin
  if changes is null then return; end if;
  -- An order cannot be issued, completed or cancelled between now and the end of the transaction.
  with o as materialized (
    select pk, is_open_order(status) is_open from purchase_order
    where pk in (select c."order" from unnest(changes) c) order by pk for no key update
  )
  select array_agg(o.pk) filter (where o.is_open), bool_or(c.lines <> 0 or c.completed <> 0),
    array_agg(c.part) filter (where o.is_open and c.part is not null and c.packs <> 0)
  into open_orders, is_counted, changed
  from unnest(changes) c join o on o.pk = c."order";
  if is_counted then
    update purchase_order o set line_items = o.line_items + d.lines, completed_lines = o.completed_lines + d.completed
    from (
      select c."order", sum(c.lines) lines, sum(c.completed) completed from unnest(changes) c group by c."order"
    ) d
    where o.pk = d."order" and (d.lines <> 0 or d.completed <> 0);
  end if;
  if changed is null then return; end if;

  -- As `lock_supplied_quantities`: whoever changes lines shares `quantities` already.
  loop
    wanted := array(select part from supplier_part where pk = any (changed));
    exit when wanted <@ locked;
    perform from part_quantity where pk in (select unnest(path) from part where pk = any (wanted)) order by pk for no key update;
    locked := wanted;
  end loop;
  update part_quantity q set ordering = q.ordering + d.quantity
  from (
    select s.part, sum(c.packs * s.pack_quantity_native) quantity
    from unnest(changes) c join supplier_part s on s.pk = c.part
    where c."order" = any (open_orders)
    group by s.part
  ) d
  where q.pk = d.part and d.quantity <> 0;
end
$$;
--> statement-breakpoint
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
$$;
--> statement-breakpoint
-- Only complete purchase orders tell what was paid: while goods come, hardly any is.
create or replace function price_of_purchase_line_changed() returns trigger language plpgsql as $$
begin
  if exists (
    select from purchase_order where pk = case when tg_op = 'DELETE' then old."order" else new."order" end and status = 30
  ) then
    perform ask_for_prices(array(
      select part from supplier_part
      where pk in (case when tg_op <> 'INSERT' then old.part end, case when tg_op <> 'DELETE' then new.part end)
    ));
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Few parts run low: what changed is looked at only where one does.
create or replace function notice_low_sums() returns trigger language plpgsql as $$
begin
  if exists (select from new_rows q join part p using (pk) where q.total_in_stock < p.minimum_stock) then
    insert into notice (kind, model, target)
    select 'low_stock', 'part', p.pk
    -- not joined: a plan that was made for a single row compares each of many with all others
    from (select pk, total_in_stock from new_rows except select pk, total_in_stock from old_rows) q join part p using (pk)
    where q.total_in_stock < p.minimum_stock
    order by p.pk;
  end if;
  return null;
end
$$;
--> statement-breakpoint
-- Stock is counted by two things, its place and whether it is in stock: by one trigger, in one statement.
drop trigger count_stock_item_in_stock_insert on stock_item;
drop trigger count_stock_item_in_stock_update on stock_item;
drop trigger count_stock_item_in_stock_delete on stock_item;
drop trigger count_stock_item_in_stock_truncate on stock_item;
drop function count_stock_item_in_stock_insert(), count_stock_item_in_stock_update(), count_stock_item_in_stock_delete(),
  count_stock_item_in_stock_truncate();
--> statement-breakpoint
create or replace function hold_stock_item_insert() returns trigger language plpgsql as $$
begin
  insert into holding as held ("of", place, slot, rows)
  select "of", place, pg_backend_pid(), sum(change) from (
    select 'stock_item' as "of", location as place, 1 as change from new_rows
    union all
    select 'stock_item.in_stock', in_stock::integer, 1 from new_rows
  ) changed
  where place is not null group by "of", place order by "of" collate "C", place
  on conflict ("of", place, slot) do update set rows = held.rows + excluded.rows;
  return null;
end
$$;
--> statement-breakpoint
create or replace function hold_stock_item_delete() returns trigger language plpgsql as $$
begin
  insert into holding as held ("of", place, slot, rows)
  select "of", place, pg_backend_pid(), sum(change) from (
    select 'stock_item' as "of", location as place, -1 as change from old_rows
    union all
    select 'stock_item.in_stock', in_stock::integer, -1 from old_rows
  ) changed
  where place is not null group by "of", place order by "of" collate "C", place
  on conflict ("of", place, slot) do update set rows = held.rows + excluded.rows;
  return null;
end
$$;
--> statement-breakpoint
create or replace function hold_stock_item_update() returns trigger language plpgsql as $$
begin
  -- most changes of stock move nothing
  if not exists (select pk, location, in_stock from new_rows except select pk, location, in_stock from old_rows) then return null; end if;
  insert into holding as held ("of", place, slot, rows)
  select "of", place, pg_backend_pid(), sum(change) from (
    select 'stock_item' as "of", location as place, 1 as change from new_rows
    union all
    select 'stock_item', location, -1 from old_rows
    union all
    select 'stock_item.in_stock', in_stock::integer, 1 from new_rows
    union all
    select 'stock_item.in_stock', in_stock::integer, -1 from old_rows
  ) changed
  where place is not null group by "of", place having sum(change) <> 0 order by "of" collate "C", place
  on conflict ("of", place, slot) do update set rows = held.rows + excluded.rows;
  return null;
end
$$;
--> statement-breakpoint
create or replace function hold_stock_item_truncate() returns trigger language plpgsql as $$
begin
  delete from holding where "of" in ('stock_item', 'stock_item.in_stock');
  return null;
end
$$;
--> statement-breakpoint
-- Every sum of a part that is not what a fresh count gives. Empty, unless something is broken.
create or replace function verify_quantities() returns table (part integer, what text, stored numeric, counted numeric) language sql stable as $$
  with stock as (
    select i.part, sum(i.quantity) filter (where i.in_stock) in_stock, count(*) items,
      count(*) filter (where i.in_stock) in_stock_items,
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
    ('in_stock_item_count', q.in_stock_item_count, coalesce(stock.in_stock_items, 0)),
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
