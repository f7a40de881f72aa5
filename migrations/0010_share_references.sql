-- Every writer of an order's reference shares a lock; whoever takes the next one holds it alone, to the end of the transaction. So
-- the next reference is still free when its order is stored.
create function share_references() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(hashtext('reference'), hashtext(tg_table_name));
  return null;
end
$$;
--> statement-breakpoint
create trigger share_references before insert or update of reference on purchase_order
  for each statement execute function share_references();
