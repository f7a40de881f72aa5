ALTER TABLE "bom_item" ADD COLUMN "entered_quantity" varchar(25) collate "C";--> statement-breakpoint
ALTER TABLE "bom_item" ADD COLUMN "setup_quantity" numeric(19, 5) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "bom_item" ADD COLUMN "attrition" numeric(6, 3) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "bom_item" ADD COLUMN "rounding_multiple" numeric(19, 5);--> statement-breakpoint
ALTER TABLE "bom_item" ADD CONSTRAINT "bom_item_setup_quantity_check" CHECK ("bom_item"."setup_quantity" >= 0);--> statement-breakpoint
ALTER TABLE "bom_item" ADD CONSTRAINT "bom_item_attrition_check" CHECK ("bom_item"."attrition" between 0 and 100);--> statement-breakpoint
ALTER TABLE "bom_item" ADD CONSTRAINT "bom_item_rounding_multiple_check" CHECK ("bom_item"."rounding_multiple" > 0);
--> statement-breakpoint
-- The quantity of a component that a build order of `builds` units requires: for each unit with its losses, what is used once for the build
-- order, and all of it rounded up to the multiple of the line. An overage that is no number counts as none.
create function bom_required(item bom_item, builds numeric) returns numeric immutable language sql as $$
  select case when item.rounding_multiple is null or mod(exact, item.rounding_multiple) = 0 then exact
    else exact + item.rounding_multiple - mod(exact, item.rounding_multiple) end
  from (
    select round(
      item.quantity * builds * (1 + (item.attrition + case
        when item.overage ~ '^\s*\d{1,10}(\.\d*)?\s*%\s*$' then trim(item.overage, ' %')::numeric
        else 0
      end) / 100)
      + item.setup_quantity
      + case when item.overage ~ '^\s*\d{1,10}(\.\d*)?\s*$' then trim(item.overage)::numeric else 0 end,
      5
    ) as exact
  ) required
$$;
--> statement-breakpoint
create or replace function make_build_lines(builds integer[]) returns void language plpgsql as $$
begin
  insert into build_line (build, bom_item, part, quantity)
  select b.pk, item.pk, item.sub_part, bom_required(item, b.quantity)
  from build_order b cross join lateral bom_lines(b.part) item
  where b.pk = any (builds)
  order by b.pk, item.pk
  on conflict (build, bom_item) do update set quantity = excluded.quantity
  where build_line.quantity <> excluded.quantity;
end
$$;
--> statement-breakpoint
create or replace function lock_bills(builds integer[], lines integer[], others integer[]) returns void language plpgsql as $$
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
        and line.quantity is distinct from bom_required(item, b.quantity)
    )
  );
end
$$;
--> statement-breakpoint
create or replace function follow_bom_items() returns trigger language plpgsql as $$
declare
  builds integer[];
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select from changed join former using (pk)
      where (
        changed.part, changed.sub_part, changed.quantity, changed.overage, changed.setup_quantity, changed.attrition,
        changed.rounding_multiple, changed.inherited
      ) is distinct from (
        former.part, former.sub_part, former.quantity, former.overage, former.setup_quantity, former.attrition,
        former.rounding_multiple, former.inherited
      )
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
drop function bom_required(numeric, text, numeric);
--> statement-breakpoint
DROP INDEX "manufacturer_part_by_link_idx";--> statement-breakpoint
ALTER TABLE "build_order_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "build_order" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "build_order" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "address" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "address" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "company_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "company" ALTER COLUMN "website" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "company" ALTER COLUMN "website" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "company" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "company" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "manufacturer_part_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "manufacturer_part" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "supplier_part" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "purchase_order_extra_line" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "purchase_order_extra_line" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "purchase_order_line" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "purchase_order_line" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "purchase_order_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "purchase_order" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "purchase_order" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "return_order_line" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "return_order_line" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "return_order_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "return_order" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "return_order" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "sales_order_line" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "sales_order_line" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "sales_order_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "sales_order" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "sales_order" ALTER COLUMN "link" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "part_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
-- a trigger names the column
drop trigger name_part on part;--> statement-breakpoint
ALTER TABLE "part" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
create trigger name_part
  before insert or update of full_name, pk, name, "IPN", revision, description, keywords, link, units, default_expiry, minimum_stock,
    creation_date, assembly, component, is_template, trackable, purchaseable, salable, active, virtual on part
  for each row execute function name_part();--> statement-breakpoint
ALTER TABLE "stock_item_attachment" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "stock_item" ALTER COLUMN "link" SET DATA TYPE varchar(2000) collate "C";--> statement-breakpoint
ALTER TABLE "stock_item" ALTER COLUMN "link" SET DEFAULT '';
