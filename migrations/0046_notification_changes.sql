-- The exact count of the list of this table.
select watch_changes('notification');
--> statement-breakpoint
-- Parts that are low on stock are noted in the transaction that moves their stock, or asks for more of it. Whether that is still so, and
-- was not told today, is seen when it is told: here it has to cost next to nothing.
create function notice_low_stock() returns trigger language plpgsql as $$
begin
  insert into notice (kind, model, target)
  select 'low_stock', 'part', p.pk from part p join part_quantity q on q.pk = p.pk
  where p.pk = new.pk and q.total_in_stock < p.minimum_stock;
  return null;
end
$$;
--> statement-breakpoint
create trigger notice_low_stock after update of in_stock, variant_stock on part_quantity
  for each row when (new.total_in_stock is distinct from old.total_in_stock) execute function notice_low_stock();
--> statement-breakpoint
create trigger notice_low_stock after update of minimum_stock on part
  for each row when (new.minimum_stock > old.minimum_stock) execute function notice_low_stock();
