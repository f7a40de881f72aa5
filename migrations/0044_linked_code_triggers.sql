-- Which object each code stands for (ADR 0027), kept with the rows of every kind of object that has codes. A code that another object
-- has is refused by the constraints of linked_code: whoever writes it at the same moment waits for the end of the other.
create function keep_code() returns trigger language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    delete from linked_code where kind = tg_argv[0];
    return null;
  end if;
  -- of objects that were imported with the same code, only one has a row
  if tg_op <> 'INSERT' then
    delete from linked_code where hash = old.barcode_hash and kind = tg_argv[0] and object = old.pk;
  end if;
  if tg_op <> 'DELETE' then
    if new.barcode_hash <> '' then
      insert into linked_code (hash, key, kind, object)
      values (new.barcode_hash, coalesce(nullif(new.barcode_key, ''), new.barcode_hash), tg_argv[0], new.pk);
    end if;
  end if;
  return null;
end
$$;
--> statement-breakpoint
-- Keeps the codes of a table from now on, whose objects are of this kind. Each migration that makes a table with codes calls this. What
-- leaves the code of an object alone, or makes one without, does not wake the triggers.
create function keep_codes(kept regclass, kind text) returns void language plpgsql as $$
begin
  execute format('create trigger keep_code_insert after insert on %s
    for each row when (new.barcode_hash <> '''') execute function keep_code(%L)', kept, kind);
  execute format('create trigger keep_code_update after update of barcode_hash on %s
    for each row when (old.barcode_hash <> '''' or new.barcode_hash <> '''') execute function keep_code(%L)', kept, kind);
  execute format('create trigger keep_code_delete after delete on %s
    for each row when (old.barcode_hash <> '''') execute function keep_code(%L)', kept, kind);
  execute format('create trigger keep_code_truncate after truncate on %s
    for each statement execute function keep_code(%L)', kept, kind);
end
$$;
--> statement-breakpoint
select keep_codes('supplier_part', 'supplierpart'), keep_codes('manufacturer_part', 'manufacturerpart'),
  keep_codes('purchase_order', 'purchaseorder'), keep_codes('sales_order', 'salesorder'), keep_codes('return_order', 'returnorder'),
  keep_codes('part', 'part'), keep_codes('stock_item', 'stockitem'), keep_codes('stock_location', 'stocklocation');
--> statement-breakpoint
-- The codes that there are: of those that several objects have, the first of these kinds has it, and of one kind the oldest object. The
-- next start of the service decodes them, which gives them their keys.
insert into linked_code (hash, kind, object)
select barcode_hash, kind, pk
from (
  select 1 as place, 'supplierpart' as kind, pk, barcode_hash from supplier_part where barcode_hash <> ''
  union all
  select 2, 'manufacturerpart', pk, barcode_hash from manufacturer_part where barcode_hash <> ''
  union all
  select 3, 'purchaseorder', pk, barcode_hash from purchase_order where barcode_hash <> ''
  union all
  select 4, 'salesorder', pk, barcode_hash from sales_order where barcode_hash <> ''
  union all
  select 5, 'returnorder', pk, barcode_hash from return_order where barcode_hash <> ''
  union all
  select 6, 'part', pk, barcode_hash from part where barcode_hash <> ''
  union all
  select 7, 'stockitem', pk, barcode_hash from stock_item where barcode_hash <> ''
  union all
  select 8, 'stocklocation', pk, barcode_hash from stock_location where barcode_hash <> ''
) code
order by place, pk
on conflict do nothing;
