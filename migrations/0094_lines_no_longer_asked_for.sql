-- Lines of build orders that are worked on go when their bill of materials does not ask for them any more: its line is inherited no longer,
-- or became another part's, or the part left the template that it inherited the line of. And a part that moves to another template has the
-- lines of that.

-- Brings the lines of those build orders that are worked on up to date with their bills of materials. What was put by for lines that go
-- is free again.
create function follow_bills(builds integer[]) returns void language plpgsql as $$
declare
  active integer[];
  gone integer[];
begin
  if builds = '{}' then return; end if;
  perform from build_order where pk = any (builds) order by pk for no key update;
  active := array(select pk from build_order where pk = any (builds) and is_active_build(status));
  gone := array(
    select line.pk from build_line line join build_order b on b.pk = line.build
    where b.pk = any (active) and not exists (select from bom_lines(b.part) item where item.pk = line.bom_item)
  );
  if gone <> '{}' then
    perform from stock_item where pk in (select stock_item from build_allocation where build_line = any (gone))
    order by pk for no key update;
    delete from build_line where pk = any (gone);
  end if;
  perform make_build_lines(active);
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
  update build_line line set part = item.sub_part from changed item
  where line.bom_item = item.pk and line.part <> item.sub_part;
  perform follow_bills(builds);
  return null;
end
$$;
--> statement-breakpoint
-- A part that moves to another template, or leaves it: once for all that moves with it, as its variants have moved by then
-- (`move_variants_below`).
create function follow_move() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('bom'), 0);
  perform follow_bills(array(
    select b.pk from part moved join build_order b on b.part = moved.pk
    where moved.path @> array[new.pk] and is_active_build(b.status)
  ));
  return null;
end
$$;
--> statement-breakpoint
create trigger settle_build_lines after update of variant_of on part
  for each row when (old.path is distinct from new.path)
  execute function follow_move();
