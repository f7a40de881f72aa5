ALTER TABLE "build_order" ADD COLUMN "external" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "build_order" ADD COLUMN "start_date" date;--> statement-breakpoint
ALTER TABLE "build_line" ADD COLUMN "consumed" numeric(19, 5) DEFAULT '0' NOT NULL;--> statement-breakpoint
CREATE INDEX "build_order_start_date_idx" ON "build_order" USING btree ("start_date","pk");--> statement-breakpoint
CREATE INDEX "build_order_by_external_idx" ON "build_order" USING btree ("external","pk");--> statement-breakpoint
CREATE INDEX "build_line_by_consumed_idx" ON "build_line" USING btree ("consumed","pk");--> statement-breakpoint
ALTER TABLE "build_line" ADD CONSTRAINT "build_line_consumed_check" CHECK ("build_line"."consumed" >= 0);
--> statement-breakpoint
-- What a build order has consumed is not required again.
create or replace function count_build_lines() returns trigger language plpgsql as $$
declare
  builds integer[];
  parts integer[];
  added numeric[];
  changed integer[];
begin
  if tg_op = 'INSERT' then
    select array_agg(build), array_agg(part), array_agg(quantity) into builds, parts, added
    from (select build, part, sum(greatest(quantity - consumed, 0)) quantity from new_rows group by build, part) change;
  elsif tg_op = 'DELETE' then
    select array_agg(build), array_agg(part), array_agg(quantity) into builds, parts, added
    from (select build, part, -sum(greatest(quantity - consumed, 0)) quantity from old_rows group by build, part) change;
  else
    select array_agg(build), array_agg(part), array_agg(quantity) into builds, parts, added from (
      select build, part, sum(quantity) quantity from (
        select build, part, greatest(quantity - consumed, 0) quantity from new_rows
        union all
        select build, part, -greatest(quantity - consumed, 0) from old_rows
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
create or replace function count_build_order() returns trigger language plpgsql as $$
declare
  sign integer := case when tg_op = 'UPDATE' and is_active_build(new.status) then 1 else -1 end;
begin
  perform lock_quantities(array(select part from build_line where build = old.pk) || old.part);
  update part_quantity q set required_for_build_orders = q.required_for_build_orders + sign * d.quantity
  from (
    select part, sum(greatest(quantity - consumed, 0)) quantity from build_line where build = old.pk group by part
  ) d
  where q.pk = d.part;
  return case when tg_op = 'UPDATE' then new else old end;
end
$$;
--> statement-breakpoint
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
    select line.part, sum(greatest(line.quantity - line.consumed, 0)) required from build_line line join build_order b on b.pk = line.build
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
