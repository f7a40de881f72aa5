-- Changes of many parts at once, such as a move to another category, cost what they have to and no more.

-- As before, but the rows of the two tables, whose sizes the planner does not know, are compared as sets: pair by pair takes
-- minutes for some ten thousand parts.
create or replace function count_variant_stock() returns trigger language plpgsql as $$
declare
  moved integer[];
  touched integer[];
begin
  select array_agg(distinct pk) into moved
  from (
    (select pk, variant_of from new_rows except select pk, variant_of from old_rows)
    union all
    (select pk, variant_of from old_rows except select pk, variant_of from new_rows)
  ) change;
  if moved is null then return null; end if;
  select array_agg(distinct above) into touched
  from (select pk, path from old_rows union all select pk, path from part) p, unnest(p.path) above
  where p.pk = any (moved);

  perform lock_quantities(touched);
  update part_quantity q set variant_stock = counted.quantity
  from (
    select template, coalesce(sum(below.in_stock), 0) quantity
    from unnest(touched) template
    left join part p on p.path @> array[template] and p.pk <> template
    left join part_quantity below on below.pk = p.pk
    group by template
  ) counted
  where q.pk = counted.template and q.variant_stock <> counted.quantity;
  return null;
end
$$;

-- A part gets its name anew only when something is written that a name can show.
drop trigger name_part on part;
create trigger name_part
  before insert or update of full_name, pk, name, "IPN", revision, description, keywords, link, units, default_expiry, minimum_stock,
    creation_date, assembly, component, is_template, trackable, purchaseable, salable, active, virtual on part
  for each row execute function name_part();
