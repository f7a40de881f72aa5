-- Sums that are kept while the rows that they sum change. Here: what is put by for sales orders and what they still ask for, and the
-- line counts of sales orders. The rules are those of 0002_quantities.sql.

create trigger share_quantities before insert or update or delete on sales_order_line
  for each statement execute function share_quantities();
--> statement-breakpoint
create trigger share_quantities before insert or update or delete on sales_order_allocation
  for each statement execute function share_quantities();
--> statement-breakpoint
create trigger share_quantities before delete or update of status on sales_order
  for each statement execute function share_quantities();
--> statement-breakpoint
create trigger share_references before insert or update of reference on sales_order
  for each statement execute function share_references();
--> statement-breakpoint

-- Allocations ---------------------------------------------------------------------------------------------------------------

-- What is put by of a stock item is the sum of its open allocations. A check of the table refuses more than there is.
create function count_allocations() returns trigger language plpgsql as $$
declare
  items integer[];
  added numeric[];
begin
  if tg_op = 'INSERT' then
    select array_agg(item), array_agg(quantity) into items, added
    from (select item, sum(quantity) quantity from new_rows where is_open group by item) change;
  elsif tg_op = 'DELETE' then
    select array_agg(item), array_agg(quantity) into items, added
    from (select item, -sum(quantity) quantity from old_rows where is_open group by item) change;
  else
    select array_agg(item), array_agg(quantity) into items, added from (
      select item, sum(quantity) quantity from (
        select item, quantity from new_rows where is_open
        union all
        select item, -quantity from old_rows where is_open
      ) both_rows
      group by item having sum(quantity) <> 0
    ) change;
  end if;
  if items is null then return null; end if;

  perform from stock_item where pk = any (items) order by pk for no key update;
  update stock_item i set allocated_to_sales_orders = i.allocated_to_sales_orders + d.quantity
  from unnest(items, added) d (item, quantity)
  where i.pk = d.item;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_allocations_insert after insert on sales_order_allocation referencing new table as new_rows
  for each statement execute function count_allocations();
--> statement-breakpoint
create trigger count_allocations_update after update on sales_order_allocation referencing old table as old_rows new table as new_rows
  for each statement execute function count_allocations();
--> statement-breakpoint
create trigger count_allocations_delete after delete on sales_order_allocation referencing old table as old_rows
  for each statement execute function count_allocations();
--> statement-breakpoint

-- Stock ---------------------------------------------------------------------------------------------------------------------

-- What is put by of a part is what is put by of its items.
alter type stock_change add attribute allocated numeric;
--> statement-breakpoint
create or replace function add_stock_changes(changes stock_change[]) returns void language plpgsql as $$
declare
  changed integer[];
begin
  if changes is null then return; end if;
  select array_agg(part) into changed from (
    select c.part from unnest(changes) c left join stock_location l on l.pk = c.location
    group by c.part
    having sum(c.in_stock) <> 0 or sum(c.items) <> 0 or sum(c.allocated) <> 0
      or coalesce(sum(c.in_stock) filter (where l.external), 0) <> 0
  ) part;
  if changed is null then return; end if;

  perform lock_quantities(changed);
  update part_quantity q
  set in_stock = q.in_stock + d.in_stock, external_stock = q.external_stock + d.external_stock,
      stock_item_count = q.stock_item_count + d.items, variant_stock = q.variant_stock + d.variant_stock,
      allocated_to_sales_orders = q.allocated_to_sales_orders + d.allocated
  from (
    select above.pk,
      coalesce(sum(c.in_stock) filter (where above.pk = p.pk), 0) in_stock,
      coalesce(sum(c.in_stock) filter (where above.pk = p.pk and l.external), 0) external_stock,
      coalesce(sum(c.items) filter (where above.pk = p.pk), 0) items,
      coalesce(sum(c.allocated) filter (where above.pk = p.pk), 0) allocated,
      coalesce(sum(c.in_stock) filter (where above.pk <> p.pk), 0) variant_stock
    from unnest(changes) c
    join part p on p.pk = c.part
    cross join unnest(p.path) above (pk)
    left join stock_location l on l.pk = c.location
    group by above.pk
  ) d
  where q.pk = d.pk
    and (d.in_stock <> 0 or d.external_stock <> 0 or d.items <> 0 or d.allocated <> 0 or d.variant_stock <> 0);
end
$$;
--> statement-breakpoint
create or replace function count_stock() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated)::stock_change)) from (
      select part, location, coalesce(sum(quantity) filter (where in_stock), 0) in_stock, count(*) items,
        sum(allocated_to_sales_orders) allocated
      from new_rows group by part, location
    ) change;
  elsif tg_op = 'DELETE' then
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated)::stock_change)) from (
      select part, location, coalesce(sum(-quantity) filter (where in_stock), 0) in_stock, -count(*) items,
        -sum(allocated_to_sales_orders) allocated
      from old_rows group by part, location
    ) change;
  else
    perform add_stock_changes(array_agg((part, location, in_stock, items, allocated)::stock_change)) from (
      select part, location, sum(in_stock) in_stock, sum(items) items, sum(allocated) allocated from (
        select part, location, case when in_stock then quantity else 0 end in_stock, 1 items, allocated_to_sales_orders allocated
        from new_rows
        union all
        select part, location, case when in_stock then -quantity else 0 end, -1, -allocated_to_sales_orders
        from old_rows
      ) both_rows
      group by part, location
      having sum(in_stock) <> 0 or sum(items) <> 0 or sum(allocated) <> 0
    ) change;
  end if;
  return null;
end
$$;
--> statement-breakpoint

-- Sales orders --------------------------------------------------------------------------------------------------------------

-- Whether lines of a sales order in this state still ask for their parts.
create function is_open_sales_order(status integer) returns boolean language sql immutable as $$
  select status in (10, 15)
$$;
--> statement-breakpoint
-- By how much the lines of a sales order for a part changed: what is still to leave, lines, lines that left in full.
create type sales_line_change as ("order" integer, part integer, required numeric, lines integer, completed integer);
--> statement-breakpoint
create function add_sales_line_changes(changes sales_line_change[]) returns void language plpgsql as $$
declare
  changed integer[];
begin
  if changes is null then return; end if;
  -- The order cannot be issued, completed or cancelled between now and the end of the transaction.
  perform from sales_order where pk in (select c."order" from unnest(changes) c) order by pk for no key update;
  update sales_order o set line_items = o.line_items + d.lines, completed_lines = o.completed_lines + d.completed
  from (
    select c."order", sum(c.lines) lines, sum(c.completed) completed from unnest(changes) c group by c."order"
  ) d
  where o.pk = d."order" and (d.lines <> 0 or d.completed <> 0);

  select array_agg(distinct c.part) into changed
  from unnest(changes) c join sales_order o on o.pk = c."order"
  where c.part is not null and c.required <> 0 and is_open_sales_order(o.status);
  if changed is null then return; end if;

  perform lock_quantities(changed);
  update part_quantity q set required_for_sales_orders = q.required_for_sales_orders + d.quantity
  from (
    select c.part, sum(c.required) quantity
    from unnest(changes) c join sales_order o on o.pk = c."order"
    where is_open_sales_order(o.status)
    group by c.part
  ) d
  where q.pk = d.part and d.quantity <> 0;
end
$$;
--> statement-breakpoint
create function count_sales_lines() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_sales_line_changes(array_agg(("order", part, required, lines, completed)::sales_line_change)) from (
      select "order", part, sum(greatest(quantity - shipped, 0)) required, count(*) lines,
        count(*) filter (where shipped >= quantity) completed
      from new_rows group by "order", part
    ) change;
  elsif tg_op = 'DELETE' then
    perform add_sales_line_changes(array_agg(("order", part, required, lines, completed)::sales_line_change)) from (
      select "order", part, -sum(greatest(quantity - shipped, 0)) required, -count(*) lines,
        -count(*) filter (where shipped >= quantity) completed
      from old_rows group by "order", part
    ) change;
  else
    perform add_sales_line_changes(array_agg(("order", part, required, lines, completed)::sales_line_change)) from (
      select "order", part, sum(required) required, sum(lines) lines, sum(completed) completed from (
        select "order", part, greatest(quantity - shipped, 0) required, 1 lines, (shipped >= quantity)::integer completed
        from new_rows
        union all
        select "order", part, -greatest(quantity - shipped, 0), -1, -(shipped >= quantity)::integer
        from old_rows
      ) both_rows
      group by "order", part
      having sum(required) <> 0 or sum(lines) <> 0 or sum(completed) <> 0
    ) change;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_lines_insert after insert on sales_order_line referencing new table as new_rows
  for each statement execute function count_sales_lines();
--> statement-breakpoint
create trigger count_lines_update after update on sales_order_line referencing old table as old_rows new table as new_rows
  for each statement execute function count_sales_lines();
--> statement-breakpoint
create trigger count_lines_delete after delete on sales_order_line referencing old table as old_rows
  for each statement execute function count_sales_lines();
--> statement-breakpoint

-- An order that is opened, closed, or goes while it is open: all its lines count, or no longer do.
create function count_sales_order() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'UPDATE' and is_open_sales_order(new.status) then 1 else -1 end;
begin
  perform lock_quantities(array(
    select part from sales_order_line where "order" = old.pk and part is not null and quantity > shipped
  ));
  update part_quantity q set required_for_sales_orders = q.required_for_sales_orders + sign * d.quantity
  from (
    select part, sum(quantity - shipped) quantity
    from sales_order_line where "order" = old.pk and quantity > shipped
    group by part
  ) d
  where q.pk = d.part;
  return case when tg_op = 'UPDATE' then new else old end;
end
$$;
--> statement-breakpoint
create trigger count_order after update of status on sales_order
  for each row when (is_open_sales_order(old.status) <> is_open_sales_order(new.status))
  execute function count_sales_order();
--> statement-breakpoint
create trigger count_order_delete before delete on sales_order
  for each row when (is_open_sales_order(old.status))
  execute function count_sales_order();
--> statement-breakpoint

-- Proof ---------------------------------------------------------------------------------------------------------------------

-- Every sum of a part that is not what a fresh count gives. Empty, unless something is broken.
create or replace function verify_quantities() returns table (part integer, what text, stored numeric, counted numeric) language sql stable as $$
  with stock as (
    select i.part, sum(i.quantity) filter (where i.in_stock) in_stock, count(*) items,
      sum(i.quantity) filter (where i.in_stock and l.external) external_stock, sum(i.allocated_to_sales_orders) allocated
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
  left join suppliers on suppliers.part = p.pk
  cross join lateral (values
    ('in_stock', q.in_stock, coalesce(stock.in_stock, 0)),
    ('stock_item_count', q.stock_item_count, coalesce(stock.items, 0)),
    ('external_stock', q.external_stock, coalesce(stock.external_stock, 0)),
    ('variant_stock', q.variant_stock, coalesce(variants.variant_stock, 0)),
    ('ordering', q.ordering, coalesce(orders.ordering, 0)),
    ('suppliers', q.suppliers, coalesce(suppliers.suppliers, 0)),
    ('allocated_to_sales_orders', q.allocated_to_sales_orders, coalesce(stock.allocated, 0)),
    ('required_for_sales_orders', q.required_for_sales_orders, coalesce(sales.required, 0))
  ) sums (what, stored, counted)
  where sums.stored is distinct from sums.counted
$$;
--> statement-breakpoint
-- Every line count of a sales order that is not what a fresh count gives. Empty, unless something is broken.
create function verify_sales_line_counts() returns table ("order" integer, what text, stored integer, counted bigint) language sql stable as $$
  select o.pk, counts.what, counts.stored, counts.counted
  from sales_order o
  cross join lateral (
    select count(*) lines, count(*) filter (where line.shipped >= line.quantity) completed
    from sales_order_line line where line."order" = o.pk
  ) lines
  cross join lateral (values
    ('line_items', o.line_items, lines.lines), ('completed_lines', o.completed_lines, lines.completed)
  ) counts (what, stored, counted)
  where counts.stored <> counts.counted
$$;
--> statement-breakpoint
-- Every stock item of which another quantity is put by than its open allocations say. Empty, unless something is broken.
create function verify_allocations() returns table (item integer, stored numeric, counted numeric) language sql stable as $$
  select i.pk, i.allocated_to_sales_orders, coalesce(allocated.quantity, 0)
  from stock_item i
  left join (select item, sum(quantity) quantity from sales_order_allocation where is_open group by item) allocated on allocated.item = i.pk
  where i.allocated_to_sales_orders <> coalesce(allocated.quantity, 0)
$$;
--> statement-breakpoint

-- Lists ---------------------------------------------------------------------------------------------------------------------

select watch_changes(watched::regclass) from unnest(array[
  'sales_order', 'sales_order_allocation', 'sales_order_attachment', 'sales_order_extra_line', 'sales_order_line',
  'sales_order_shipment'
]) watched;
--> statement-breakpoint
-- A file goes after its attachment, also where that goes with its order.
select keep_files('sales_order_attachment', 'attachment');
--> statement-breakpoint
-- as for the other searched tables (0007_search.sql): without trigrams a search is as right, but slower on large tables
do $$
declare
  searched record;
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  for searched in
    select * from (values
      ('sales_order', array['reference', 'customer_reference', 'description']),
      ('sales_order_extra_line', array['reference', 'description']),
      ('sales_order_line', array['reference'])
    ) as texts (name, columns)
  loop
    execute format('create index %I on %I using gin (%s)', searched.name || '_search_idx', searched.name,
      (select string_agg(format('%I collate "default" gin_trgm_ops', name), ', ') from unnest(searched.columns) name));
  end loop;
end
$$;
