-- Trees: part categories and stock locations by "parent", parts by "variant_of".
--
-- A row knows its path: the keys from the root down to itself. What lies below X is `path @> array[X]`, answered by an index,
-- and what lies above a row is in the row. Categories and locations also know the names on the way: `name_path` to be ordered by,
-- `pathstring` to be shown. The triggers here are the only writers of these columns.

-- Held by whoever changes the shape of a tree, to the end of its transaction. Without it, two moves that are fine by themselves
-- could make a circle together, and a row could be put below a place that is being moved. An action that locks rows of a tree
-- before it moves them takes this lock first.
create function lock_tree(tree text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtext('tree'), hashtext(tree))
$$;

-- Before the statement: no row is locked yet, so that nobody who holds this lock can wait for us.
create function lock_tree_of_table() returns trigger language plpgsql as $$
begin
  perform lock_tree(tg_table_name);
  return null;
end
$$;

-- The names joined by "/", shortened in the middle to fit 250 characters.
create function path_string(name_path text[]) returns text language sql immutable as $$
  select case when length(whole) > 250 then left(whole, 123) || '...' || right(whole, 123) else whole end
  from array_to_string(name_path, '/') whole
$$;

-- Puts a category or location in its place.
create function place_in_tree() returns trigger language plpgsql as $$
declare
  above_path integer[] := '{}';
  above_names text[] := '{}';
begin
  if new.parent is not null then
    execute format('select path, name_path from %I where pk = $1', tg_table_name) into above_path, above_names using new.parent;
    if new.parent = new.pk or new.pk = any (above_path) then
      raise exception 'object % cannot lie below itself', new.pk
        using errcode = 'check_violation', table = tg_table_name, column = 'parent', constraint = tg_table_name || '_parent_cycle';
    end if;
    -- A parent that does not exist is for the foreign key to refuse.
  end if;
  new.path := coalesce(above_path, '{}') || new.pk;
  new.level := cardinality(new.path) - 1;
  new.name_path := coalesce(above_names, '{}') || new.name::text;
  new.pathstring := path_string(new.name_path);
  return new;
end
$$;

-- Takes everything below a category or location along. What stands in a path behind the moved row stays as it is.
create function move_tree_below() returns trigger language plpgsql as $$
begin
  execute format(
    'update %I below set path = moved.path, level = cardinality(moved.path) - 1,
       name_path = moved.name_path, pathstring = path_string(moved.name_path)
     from (
       select pk, $1 || path[array_position(path, $3) + 1 :] path, $2 || name_path[array_position(path, $3) + 1 :] name_path
       from %1$I where path @> array[$3] and pk <> $3
     ) moved
     where below.pk = moved.pk', tg_table_name)
    using new.path, new.name_path, new.pk;
  return null;
end
$$;

create trigger lock_tree before insert or delete or update of parent, name on part_category
  for each statement execute function lock_tree_of_table();
create trigger place_in_tree before insert or update of parent, name on part_category
  for each row execute function place_in_tree();
create trigger move_tree_below after update of parent, name on part_category
  for each row when (old.path is distinct from new.path or old.name_path is distinct from new.name_path)
  execute function move_tree_below();

create trigger lock_tree before insert or delete or update of parent, name on stock_location
  for each statement execute function lock_tree_of_table();
create trigger place_in_tree before insert or update of parent, name on stock_location
  for each row execute function place_in_tree();
create trigger move_tree_below after update of parent, name on stock_location
  for each row when (old.path is distinct from new.path or old.name_path is distinct from new.name_path)
  execute function move_tree_below();

-- Puts a part below its template.
create function place_variant() returns trigger language plpgsql as $$
declare
  above_path integer[] := '{}';
begin
  if new.variant_of is not null then
    -- An update took the lock before its statement. Most new parts are no variants and need none.
    if tg_op = 'INSERT' then perform lock_tree('part'); end if;
    select path into above_path from part where pk = new.variant_of;
    if new.variant_of = new.pk or new.pk = any (above_path) then
      raise exception 'part % cannot be a variant of itself', new.pk
        using errcode = 'check_violation', table = 'part', column = 'variant_of', constraint = 'part_variant_of_cycle';
    end if;
  end if;
  new.path := coalesce(above_path, '{}') || new.pk;
  new.level := cardinality(new.path) - 1;
  return new;
end
$$;

-- Takes the variants of a part along.
create function move_variants_below() returns trigger language plpgsql as $$
begin
  update part below set path = moved.path, level = cardinality(moved.path) - 1
  from (
    select pk, new.path || path[array_position(path, new.pk) + 1 :] path from part where path @> array[new.pk] and pk <> new.pk
  ) moved
  where below.pk = moved.pk;
  return null;
end
$$;

create trigger lock_tree before delete or update of variant_of on part
  for each statement execute function lock_tree_of_table();
create trigger place_variant before insert or update of variant_of on part
  for each row execute function place_variant();
create trigger move_variants_below after update of variant_of on part
  for each row when (old.path is distinct from new.path)
  execute function move_variants_below();

-- When a stock item goes, the items that were split from it count as split from the item it came from.
create function reattach_split_items() returns trigger language plpgsql as $$
begin
  update stock_item set parent = (select pk from stock_item where pk = old.parent) where parent = old.pk;
  return null;
end
$$;

-- Triggers fire in the order of their names. The capital puts this one before the foreign key's own ("RI_..."), which sets null.
create trigger "A_reattach_split_items" after delete on stock_item
  for each row execute function reattach_split_items();

-- Every row whose place in its tree is not what its parents say. Empty, unless something is broken.
create function verify_trees() returns table (tree text, pk integer) language sql stable as $$
  with recursive category as (
    select c.pk, array[c.pk] path, array[c.name::text] name_path from part_category c where c.parent is null
    union all
    select c.pk, above.path || c.pk, above.name_path || c.name::text from part_category c join category above on above.pk = c.parent
  ), location as (
    select l.pk, array[l.pk] path, array[l.name::text] name_path from stock_location l where l.parent is null
    union all
    select l.pk, above.path || l.pk, above.name_path || l.name::text from stock_location l join location above on above.pk = l.parent
  ), variant as (
    select p.pk, array[p.pk] path from part p where p.variant_of is null
    union all
    select p.pk, above.path || p.pk from part p join variant above on above.pk = p.variant_of
  )
  select 'part_category', c.pk from part_category c left join category right_place using (pk)
  where (c.path, c.level, c.name_path, c.pathstring::text)
    is distinct from (right_place.path, cardinality(right_place.path) - 1, right_place.name_path, path_string(right_place.name_path))
  union all
  select 'stock_location', l.pk from stock_location l left join location right_place using (pk)
  where (l.path, l.level, l.name_path, l.pathstring::text)
    is distinct from (right_place.path, cardinality(right_place.path) - 1, right_place.name_path, path_string(right_place.name_path))
  union all
  select 'part', p.pk from part p left join variant right_place using (pk)
  where (p.path, p.level) is distinct from (right_place.path, cardinality(right_place.path) - 1)
$$;
