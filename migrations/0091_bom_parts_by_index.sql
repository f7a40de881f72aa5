-- The parts of an assembly are always reached over the index of its lines. Where statistics were taken of a table without lines, the
-- planner went through all lines for each part instead, and a sheet of 2,000 lines took as long as a request may.
create or replace function bom_parts(of_part integer) returns table (part integer, replaced boolean) stable language sql as $$
  select item.sub_part, false from bom_lines(of_part) item
  union all
  select other.part, true
  from (select lines.pk from bom_lines(of_part) lines offset 0) item join bom_item_substitute other on other.bom_item = item.pk
  union all
  select variant.pk, true
  from (select lines.sub_part, lines.allow_variants from bom_lines(of_part) lines offset 0) item
  join part variant on variant.path @> array[item.sub_part] and variant.pk <> item.sub_part
  where item.allow_variants
$$;
