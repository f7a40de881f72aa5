-- Sums that are kept while the rows that they sum change. Here: what build orders are making. The rules are those of 0002_quantities.sql.

create trigger share_quantities before insert or update or delete on build_order
  for each statement execute function share_quantities();
--> statement-breakpoint
create trigger share_references before insert or update of reference on build_order
  for each statement execute function share_references();
--> statement-breakpoint

-- Whether a build order in this state is worked on.
create function is_active_build(status integer) returns boolean language sql immutable as $$
  select status in (10, 20)
$$;
--> statement-breakpoint
create function count_building() returns trigger language plpgsql as $$
declare
  parts integer[];
  added numeric[];
begin
  if tg_op = 'INSERT' then
    select array_agg(part), array_agg(quantity) into parts, added
    from (select part, sum(quantity) quantity from new_rows where is_active_build(status) group by part) change;
  elsif tg_op = 'DELETE' then
    select array_agg(part), array_agg(quantity) into parts, added
    from (select part, -sum(quantity) quantity from old_rows where is_active_build(status) group by part) change;
  else
    select array_agg(part), array_agg(quantity) into parts, added from (
      select part, sum(quantity) quantity from (
        select part, quantity from new_rows where is_active_build(status)
        union all
        select part, -quantity from old_rows where is_active_build(status)
      ) both_rows
      group by part having sum(quantity) <> 0
    ) change;
  end if;
  if parts is null then return null; end if;

  perform lock_quantities(parts);
  update part_quantity q set building = q.building + d.quantity
  from unnest(parts, added) d (part, quantity)
  where q.pk = d.part;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_building_insert after insert on build_order referencing new table as new_rows
  for each statement execute function count_building();
--> statement-breakpoint
create trigger count_building_update after update on build_order referencing old table as old_rows new table as new_rows
  for each statement execute function count_building();
--> statement-breakpoint
create trigger count_building_delete after delete on build_order referencing old table as old_rows
  for each statement execute function count_building();
--> statement-breakpoint

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
  ), builds as (
    select b.part, sum(b.quantity) building from build_order b where is_active_build(b.status) group by b.part
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
    ('building', q.building, coalesce(builds.building, 0))
  ) sums (what, stored, counted)
  where sums.stored is distinct from sums.counted
$$;
--> statement-breakpoint

select watch_changes('build_order'), watch_changes('build_order_attachment');
--> statement-breakpoint
select watch_events('build_order', array['barcode_key']), watch_events('build_order_attachment');
--> statement-breakpoint
select keep_codes('build_order', 'build');
--> statement-breakpoint
-- A file goes after its attachment, also where that goes with its build order.
select keep_files('build_order_attachment', 'attachment');
--> statement-breakpoint
-- as for the other searched tables (0007_search.sql): without trigrams a search is as right, but slower on large tables
do $$
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  create index build_order_search_idx on build_order
    using gin (reference collate "default" gin_trgm_ops, title collate "default" gin_trgm_ops);
end
$$;
