-- The account of each stock item: what it opened with, and by how much each entry of its history changed it (ADR 0015). Whatever is
-- there now is what its account opens with. Of the entries so far none counts: serial numbers have copied entries from item to item, and
-- those of an imported system say by how much something was to change rather than by how much it did.
ALTER TABLE "stock_item" ADD COLUMN "opening_quantity" numeric(19, 5);--> statement-breakpoint
ALTER TABLE "stock_tracking" ADD COLUMN "quantity_change" numeric(19, 5);--> statement-breakpoint
-- written anew as a whole, which wakes no trigger and leaves no old rows behind
alter table stock_item alter column opening_quantity type numeric(19, 5) using quantity;--> statement-breakpoint
ALTER TABLE "stock_item" ALTER COLUMN "opening_quantity" SET NOT NULL;--> statement-breakpoint

-- An item that is inserted without one, by an import or by hand, opens with what it is.
create function open_stock_account() returns trigger language plpgsql as $$
begin
  new.opening_quantity := new.quantity;
  return new;
end
$$;--> statement-breakpoint

create trigger open_stock_account before insert on stock_item
  for each row when (new.opening_quantity is null)
  execute function open_stock_account();
