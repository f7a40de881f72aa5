-- A search looks for a word inside texts, which no ordinary index can find. Where the server offers trigrams (nearly every one does),
-- each searched table has one index over its texts; without them a search is as right, but slower on large tables.
do $$
declare
  searched record;
begin
  if not exists (select from pg_available_extensions where name = 'pg_trgm') then return; end if;
  begin
    create extension if not exists pg_trgm;
  exception when insufficient_privilege then
    return;
  end;
  for searched in
    select * from (values
      ('company', array['name', 'description', 'website']),
      ('contact', array['name']),
      ('manufacturer_part', array['MPN', 'description']),
      ('part', array['name', 'description', 'IPN', 'revision', 'keywords']),
      ('part_category', array['name', 'description']),
      ('purchase_order', array['reference', 'supplier_reference', 'description']),
      ('purchase_order_extra_line', array['reference', 'description']),
      ('purchase_order_line', array['reference']),
      ('stock_item', array['serial', 'batch']),
      ('stock_location', array['name', 'description']),
      ('stock_tracking', array['notes']),
      ('supplier_part', array['SKU', 'description'])
    ) as texts (name, columns)
  loop
    execute format('create index %I on %I using gin (%s)', searched.name || '_search_idx', searched.name,
      (select string_agg(format('%I collate "default" gin_trgm_ops', name), ', ') from unnest(searched.columns) name));
  end loop;
end
$$;
--> statement-breakpoint
-- Few rows have tags. These indexes hold those that have some, so that a search need not look at the others.
create index part_tagged_idx on part (pk) where tags <> '{}';
--> statement-breakpoint
create index supplier_part_tagged_idx on supplier_part (pk) where tags <> '{}';
--> statement-breakpoint
create index manufacturer_part_tagged_idx on manufacturer_part (pk) where tags <> '{}';
--> statement-breakpoint
create index stock_item_tagged_idx on stock_item (pk) where tags <> '{}';
--> statement-breakpoint
create index stock_location_tagged_idx on stock_location (pk) where tags <> '{}';
