-- A search finds a text in whichever form its characters are written: µ, μ and u; both signs of ohm; × and x; letters composed or not;
-- full-width forms. What is stored stays as it is: both the text and the word are folded for the comparison. NFKC folds all but two of these.
-- Texts of ASCII, and others that NFKC would not change, are recognized first, which takes a fraction of the time. A server with another
-- encoding than UTF-8 has no such forms.
do $$
begin
  if getdatabaseencoding() = 'UTF8' then
    create function fold_text(text) returns text language sql immutable parallel safe as $fold$
      select case
        when octet_length($1) = char_length($1) then $1
        when $1 is nfkc normalized and strpos($1, chr(956)) = 0 and strpos($1, chr(215)) = 0 then $1
        else translate(normalize($1, nfkc), chr(956) || chr(215), 'ux')
      end
    $fold$;
  else
    create function fold_text(text) returns text language sql immutable parallel safe as 'select $1';
  end if;
end
$$;
--> statement-breakpoint
-- The indexes of searches (0007 and others) hold the folded texts; those of barcodes are not searched in words. The statistics of an index
-- over expressions come of `analyze` alone.
do $$
declare
  searched record;
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  for searched in
    select * from (values
      ('bom_item', array['reference']),
      ('build_order', array['reference', 'title', 'priority']),
      ('company', array['name', 'description', 'website']),
      ('contact', array['name']),
      ('manufacturer_part', array['MPN', 'description']),
      ('part', array['name', 'description', 'IPN', 'revision', 'keywords']),
      ('part_category', array['name', 'description']),
      ('purchase_order', array['reference', 'supplier_reference', 'description']),
      ('purchase_order_extra_line', array['reference', 'description']),
      ('purchase_order_line', array['reference']),
      ('return_order', array['reference', 'customer_reference', 'description']),
      ('return_order_extra_line', array['reference', 'description']),
      ('return_order_line', array['reference']),
      ('sales_order', array['reference', 'customer_reference', 'description']),
      ('sales_order_extra_line', array['reference', 'description']),
      ('sales_order_line', array['reference']),
      ('stock_item', array['serial', 'batch']),
      ('stock_location', array['name', 'description']),
      ('stock_tracking', array['notes']),
      ('supplier_part', array['SKU', 'description'])
    ) as texts (name, columns)
  loop
    execute format('drop index if exists %I', searched.name || '_search_idx');
    execute format('create index %I on %I using gin (%s)', searched.name || '_search_idx', searched.name,
      (select string_agg(format('(fold_text(%I::text) collate "default") gin_trgm_ops', name), ', ') from unnest(searched.columns) name));
    execute format('analyze %I', searched.name);
  end loop;
end
$$;
--> statement-breakpoint
-- Parts that a bill of materials names are found by their folded names and numbers.
create index part_folded_name_idx on part (fold_text(name::text));
--> statement-breakpoint
create index part_folded_ipn_idx on part (lower(fold_text("IPN"::text)));
