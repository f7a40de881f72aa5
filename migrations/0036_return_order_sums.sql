-- The line counts of return orders, kept while their lines change: a line is done once it is decided what becomes of its item. The rules
-- are those of 0002_quantities.sql.

create trigger share_references before insert or update of reference on return_order
  for each statement execute function share_references();
--> statement-breakpoint

-- By how much the lines of a return order changed: lines, and lines that are decided.
create type return_line_change as ("order" integer, lines integer, completed integer);
--> statement-breakpoint
create function add_return_line_changes(changes return_line_change[]) returns void language plpgsql as $$
begin
  if changes is null then return; end if;
  perform from return_order where pk in (select c."order" from unnest(changes) c) order by pk for no key update;
  update return_order o set line_items = o.line_items + d.lines, completed_lines = o.completed_lines + d.completed
  from (
    select c."order", sum(c.lines) lines, sum(c.completed) completed from unnest(changes) c group by c."order"
  ) d
  where o.pk = d."order" and (d.lines <> 0 or d.completed <> 0);
end
$$;
--> statement-breakpoint
create function count_return_lines() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_return_line_changes(array_agg(("order", lines, completed)::return_line_change)) from (
      select "order", count(*) lines, count(*) filter (where outcome <> 10) completed from new_rows group by "order"
    ) change;
  elsif tg_op = 'DELETE' then
    perform add_return_line_changes(array_agg(("order", lines, completed)::return_line_change)) from (
      select "order", -count(*) lines, -count(*) filter (where outcome <> 10) completed from old_rows group by "order"
    ) change;
  else
    perform add_return_line_changes(array_agg(("order", lines, completed)::return_line_change)) from (
      select "order", sum(lines) lines, sum(completed) completed from (
        select "order", 1 lines, (outcome <> 10)::integer completed from new_rows
        union all
        select "order", -1, -(outcome <> 10)::integer from old_rows
      ) both_rows
      group by "order"
      having sum(lines) <> 0 or sum(completed) <> 0
    ) change;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger count_lines_insert after insert on return_order_line referencing new table as new_rows
  for each statement execute function count_return_lines();
--> statement-breakpoint
create trigger count_lines_update after update on return_order_line referencing old table as old_rows new table as new_rows
  for each statement execute function count_return_lines();
--> statement-breakpoint
create trigger count_lines_delete after delete on return_order_line referencing old table as old_rows
  for each statement execute function count_return_lines();
--> statement-breakpoint
-- Every line count of a return order that is not what a fresh count gives. Empty, unless something is broken.
create function verify_return_line_counts() returns table ("order" integer, what text, stored integer, counted bigint) language sql stable as $$
  select o.pk, counts.what, counts.stored, counts.counted
  from return_order o
  cross join lateral (
    select count(*) lines, count(*) filter (where line.outcome <> 10) completed from return_order_line line where line."order" = o.pk
  ) lines
  cross join lateral (values
    ('line_items', o.line_items, lines.lines), ('completed_lines', o.completed_lines, lines.completed)
  ) counts (what, stored, counted)
  where counts.stored <> counts.counted
$$;
--> statement-breakpoint
select watch_changes(watched::regclass) from unnest(array[
  'return_order', 'return_order_attachment', 'return_order_extra_line', 'return_order_line'
]) watched;
--> statement-breakpoint
-- A file goes after its attachment, also where that goes with its order.
select keep_files('return_order_attachment', 'attachment');
--> statement-breakpoint
-- as for the other searched tables (0007_search.sql): without trigrams a search is as right, but slower on large tables
do $$
declare
  searched record;
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  for searched in
    select * from (values
      ('return_order', array['reference', 'customer_reference', 'description']),
      ('return_order_extra_line', array['reference', 'description']),
      ('return_order_line', array['reference'])
    ) as texts (name, columns)
  loop
    execute format('create index %I on %I using gin (%s)', searched.name || '_search_idx', searched.name,
      (select string_agg(format('%I collate "default" gin_trgm_ops', name), ', ') from unnest(searched.columns) name));
  end loop;
end
$$;
