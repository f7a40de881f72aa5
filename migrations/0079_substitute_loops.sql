-- What goes into one unit of a part: the components of its lines, and what may be used in place of these.
create function bom_parts(of_part integer) returns table (part integer, replaced boolean) stable language sql as $$
  select item.sub_part, false from bom_lines(of_part) item
  union all
  select other.part, true from bom_lines(of_part) item join bom_item_substitute other on other.bom_item = item.pk
$$;
--> statement-breakpoint
-- A part, and all that goes into it at any depth. It ends although parts go into one another over what may be used in place of others.
create function bom_below(top integer) returns table (part integer) stable language sql as $$
  with recursive below (part) as (
    select top
    union
    select next.part from below cross join lateral bom_parts(below.part) next
  )
  select part from below
$$;
--> statement-breakpoint
-- Refuses lines by which an assembly would contain a part of its own tree, at any depth; or itself, over what may be used in place of a
-- component. Of two that do so together one waits for the other's transaction, and then sees it. What may be used in place of a component is
-- checked where it is written: of what an import brings, such loops stay.
create or replace function refuse_bom_loops() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if not exists (
      select from changed join former using (pk)
      where (changed.part, changed.sub_part, changed.inherited) is distinct from (former.part, former.sub_part, former.inherited)
    ) then return null; end if;
  end if;
  perform pg_advisory_xact_lock(hashtext('bom'), 0);
  if exists (
    with recursive below (assembly, inherited, part, replaced) as (
      select changed.part, changed.inherited, first.part, first.replaced
      from changed cross join lateral (
        select changed.sub_part, false
        union all
        select other.part, true from bom_item_substitute other where other.bom_item = changed.pk
      ) first (part, replaced)
      union
      select below.assembly, below.inherited, next.part, below.replaced or next.replaced
      from below cross join lateral bom_parts(below.part) next
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
-- A part that moves to another template inherits its lines, and shares its tree.
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
    select from part moved cross join lateral bom_parts(moved.pk) first cross join lateral bom_below(first.part) below
    where moved.path @> array[new.pk] and below.part = moved.pk
  ) then
    raise exception 'an assembly would contain itself'
      using errcode = 'check_violation', table = 'part', column = 'variant_of', constraint = 'part_bom_loop';
  end if;
  return null;
end $$;
