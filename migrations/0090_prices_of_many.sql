-- Prices are asked for once for a statement, however many rows it changes: moving a template with 5,000 variants spent most of its time on
-- asking for each by itself.

-- As `price_dependents`, of several parts; `above`: they and the templates that are above them, or were.
create function price_dependents_of(parts integer[], above integer[]) returns setof integer stable language sql as $$
  with used as (
    select line.part, line.inherited from unnest(parts) changed join bom_item line on line.sub_part = changed
    union
    select line.part, line.inherited from unnest(above) place join bom_item line on line.sub_part = place where line.allow_variants
    union
    select line.part, line.inherited
    from unnest(parts) changed join bom_item_substitute other on other.part = changed join bom_item line on line.pk = other.bom_item
  )
  select unnest(above)
  union
  select used.part from used
  union
  select unnest(with_variants(array(select used.part from used where used.inherited)))
$$;
--> statement-breakpoint
-- The variants below parts, and these themselves. Of many parts all are looked through: the index of paths is slow to look up in when much was
-- written lately, and a long list would be compared with each path.
create or replace function with_variants(parts integer[]) returns integer[] stable language sql as $$
  select coalesce(case
    when cardinality(parts) <= 20 then (select array_agg(variant.pk) from part variant where variant.path && parts)
    else (
      select array_agg(distinct variant.pk) from part variant cross join unnest(variant.path) place
      where place in (select unnest(parts))
    )
  end, '{}')
$$;
--> statement-breakpoint
create or replace function prices_of_part_changed() returns trigger language plpgsql as $$
declare
  changed integer[];
  above integer[];
begin
  if current_setting('stockroom.prices', true) = 'off' then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(pk) into changed from new_rows where variant_of is not null;
    if changed is null then return null; end if;
    above := array(select distinct unnest(path) from new_rows where variant_of is not null);
  elsif tg_op = 'DELETE' then
    select array_agg(pk) into changed from old_rows where variant_of is not null;
    if changed is null then return null; end if;
    above := array(
      select unnest(path) from old_rows where variant_of is not null
      except
      select pk from old_rows
    );
  else
    -- not joined: a plan that was made for a single row compares each of many with all others
    select array_agg(distinct pk), array_agg(distinct place) into changed, above
    from (
      (
        select pk, path, active, assembly, is_template, purchaseable, trackable from new_rows
        except
        select pk, path, active, assembly, is_template, purchaseable, trackable from old_rows
      )
      union all
      (
        select pk, path, active, assembly, is_template, purchaseable, trackable from old_rows
        except
        select pk, path, active, assembly, is_template, purchaseable, trackable from new_rows
      )
    ) change, unnest(path) place;
    if changed is null then return null; end if;
  end if;
  perform ask_for_prices(
    array(select price_dependents_of(changed, above)) || case when tg_op <> 'DELETE' then with_variants(changed) end
  );
  return null;
end $$;
--> statement-breakpoint
drop trigger ask_for_prices on part;
--> statement-breakpoint
drop trigger ask_for_prices_insert on part;
--> statement-breakpoint
drop trigger ask_for_prices_delete on part;
--> statement-breakpoint
create trigger ask_for_prices_insert after insert on part referencing new table as new_rows
  for each statement execute function prices_of_part_changed();
--> statement-breakpoint
create trigger ask_for_prices_update after update on part referencing old table as old_rows new table as new_rows
  for each statement execute function prices_of_part_changed();
--> statement-breakpoint
create trigger ask_for_prices_delete after delete on part referencing old table as old_rows
  for each statement execute function prices_of_part_changed();
--> statement-breakpoint
create or replace function price_of_bom_changed() returns trigger language plpgsql as $$
declare
  parts integer[];
  heirs integer[];
begin
  if current_setting('stockroom.prices', true) = 'off' then return null; end if;
  if tg_op = 'INSERT' then
    select array_agg(distinct part), array_agg(distinct part) filter (where inherited) into parts, heirs from new_rows;
  elsif tg_op = 'DELETE' then
    select array_agg(distinct part), array_agg(distinct part) filter (where inherited) into parts, heirs from old_rows;
  else
    select array_agg(distinct part), array_agg(distinct part) filter (where inherited) into parts, heirs
    from (
      (
        select pk, part, sub_part, quantity, inherited, allow_variants from new_rows
        except
        select pk, part, sub_part, quantity, inherited, allow_variants from old_rows
      )
      union all
      (
        select pk, part, sub_part, quantity, inherited, allow_variants from old_rows
        except
        select pk, part, sub_part, quantity, inherited, allow_variants from new_rows
      )
    ) change;
  end if;
  if parts is null then return null; end if;
  perform ask_for_prices(parts || with_variants(coalesce(heirs, '{}')));
  return null;
end $$;
--> statement-breakpoint
drop trigger ask_for_prices on bom_item;
--> statement-breakpoint
drop trigger ask_for_prices_added on bom_item;
--> statement-breakpoint
create trigger ask_for_prices_insert after insert on bom_item referencing new table as new_rows
  for each statement execute function price_of_bom_changed();
--> statement-breakpoint
create trigger ask_for_prices_update after update on bom_item referencing old table as old_rows new table as new_rows
  for each statement execute function price_of_bom_changed();
--> statement-breakpoint
create trigger ask_for_prices_delete after delete on bom_item referencing old table as old_rows
  for each statement execute function price_of_bom_changed();
--> statement-breakpoint
create function prices_of_items_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform ask_for_prices(array(select distinct part from new_rows where purchase_price is not null));
  else
    perform ask_for_prices(array(select distinct part from old_rows where purchase_price is not null));
  end if;
  return null;
end $$;
--> statement-breakpoint
drop trigger ask_for_prices_insert on stock_item;
--> statement-breakpoint
drop trigger ask_for_prices_delete on stock_item;
--> statement-breakpoint
create trigger ask_for_prices_insert after insert on stock_item referencing new table as new_rows
  for each statement execute function prices_of_items_changed();
--> statement-breakpoint
create trigger ask_for_prices_delete after delete on stock_item referencing old table as old_rows
  for each statement execute function prices_of_items_changed();
--> statement-breakpoint
-- Of most items nothing was split: an update that finds no row wakes the triggers of its statement all the same.
create or replace function reattach_split_items() returns trigger language plpgsql as $$
begin
  if exists (select from stock_item where parent = old.pk) then
    update stock_item set parent = (select pk from stock_item where pk = old.parent) where parent = old.pk;
  end if;
  return null;
end
$$;
--> statement-breakpoint
-- As before, but a part without templates, which most are, changes no sums but its own.
create or replace function take_variant_stock_along() returns trigger language plpgsql as $$
begin
  perform lock_quantities(array[old.pk]);
  if old.level > 0 then
    update part_quantity q set variant_stock = q.variant_stock - own.in_stock
    from part_quantity own
    where own.pk = old.pk and own.in_stock <> 0 and q.pk = any (old.path) and q.pk <> old.pk;
  end if;
  delete from part_quantity where pk = old.pk;
  return old;
end
$$;
--> statement-breakpoint
-- A plan that was made when there were few lines goes through all of them for each that thousands of new lines lead to.
alter function refuse_bom_loops() set enable_seqscan = off;
