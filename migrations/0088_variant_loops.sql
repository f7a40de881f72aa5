-- What goes into one unit of a part: the components of its lines, and what may be used in place of these, substitutes and allowed variants.
-- Whether these are trackable as the component is does not count: it may change any day.
create or replace function bom_parts(of_part integer) returns table (part integer, replaced boolean) stable language sql as $$
  select item.sub_part, false from bom_lines(of_part) item
  union all
  select other.part, true from bom_lines(of_part) item join bom_item_substitute other on other.bom_item = item.pk
  union all
  select variant.pk, true
  from bom_lines(of_part) item join part variant on variant.path @> array[item.sub_part] and variant.pk <> item.sub_part
  where item.allow_variants
$$;
--> statement-breakpoint
-- Refuses lines by which an assembly would contain a part of its own tree, at any depth; or itself, over what may be used in place of a
-- component. Of two that do so together one waits for the other's transaction, and then sees it. Substitutes are checked where they are
-- written. What an import brings keeps its loops over what may be used in place of others (`stockroom.replacements`): the system it comes
-- from has them.
create or replace function refuse_bom_loops() returns trigger language plpgsql as $$
declare
  with_replacements boolean := current_setting('stockroom.replacements', true) is distinct from 'off';
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select from changed join former using (pk)
      where (changed.part, changed.sub_part, changed.inherited, changed.allow_variants)
        is distinct from (former.part, former.sub_part, former.inherited, former.allow_variants)
    ) then return null; end if;
  end if;
  perform pg_advisory_xact_lock(hashtext('bom'), 0);
  if exists (
    with recursive below (assembly, inherited, part, replaced) as (
      select changed.part, changed.inherited, first.part, first.replaced
      from changed cross join lateral (
        select changed.sub_part, false
        union all
        select other.part, true from bom_item_substitute other where other.bom_item = changed.pk and with_replacements
        union all
        select variant.pk, true from part variant
        where changed.allow_variants and variant.path @> array[changed.sub_part] and variant.pk <> changed.sub_part and with_replacements
      ) first (part, replaced)
      union
      select below.assembly, below.inherited, next.part, below.replaced or next.replaced
      from below cross join lateral bom_parts(below.part) next
      where with_replacements or not next.replaced
    )
    select from below join part on part.pk = below.part join part assembly on assembly.pk = below.assembly
    where case when below.replaced
      then part.pk = assembly.pk or below.inherited and part.path @> array[assembly.pk]
      else part.path[1] = assembly.path[1]
    end
  ) then
    raise exception 'an assembly would contain itself'
      using errcode = 'check_violation', table = 'bom_item', column = 'sub_part', constraint = 'bom_item_loop';
  end if;
  return null;
end $$;
--> statement-breakpoint
-- A part that moves to another template inherits its lines, shares its tree, and may be used where that may be in the form of a variant.
create or replace function refuse_bom_loop_of_move() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('bom'), 0);
  if exists (
    with recursive below (part) as (
      select item.sub_part from part assembly join bom_item item on item.part = assembly.pk
      where assembly.path @> array[new.path[1]]
      union
      select item.sub_part from below cross join lateral bom_lines(below.part) item
    )
    select from below join part on part.pk = below.part where part.path[1] = new.path[1]
  ) or exists (
    -- of what moves, only what goes into some of it can contain itself
    with recursive below (part) as (
      select first.part from part moved cross join lateral bom_parts(moved.pk) first where moved.path @> array[new.pk]
      union
      select next.part from below cross join lateral bom_parts(below.part) next
    )
    select from below join part moved on moved.pk = below.part and moved.path @> array[new.pk]
    where exists (
      select from bom_parts(moved.pk) first cross join lateral bom_below(first.part) inside where inside.part = moved.pk
    )
  ) then
    raise exception 'an assembly would contain itself'
      using errcode = 'check_violation', table = 'part', column = 'variant_of', constraint = 'part_bom_loop';
  end if;
  return null;
end $$;
--> statement-breakpoint
-- Once for all that moves with a part, as its variants have moved by then (`move_variants_below`). Who only leaves templates behind, as when
-- one is deleted, comes into no loop.
drop trigger refuse_bom_loop on part;
--> statement-breakpoint
create trigger refuse_bom_loop after update of variant_of on part
  for each row when (old.path is distinct from new.path and not old.path @> new.path)
  execute function refuse_bom_loop_of_move();
