-- A part that goes leaves its templates without its stock, and takes its own sums along before anything that is deleted with it
-- could still subtract from them: a sum that changed twice in one transaction would be missing its part.
create or replace function take_variant_stock_along() returns trigger language plpgsql as $$
begin
  perform lock_quantities(array[old.pk]);
  update part_quantity q set variant_stock = q.variant_stock - own.in_stock
  from part_quantity own
  where own.pk = old.pk and own.in_stock <> 0 and q.pk = any (old.path) and q.pk <> old.pk;
  delete from part_quantity where pk = old.pk;
  return old;
end
$$;

drop trigger take_variant_stock_along on part;
create trigger take_variant_stock_along before delete on part
  for each row execute function take_variant_stock_along();
