-- A GTIN finds what any code with it is linked to: its digits stand in each such code. As with searches (0007), trigrams find them where
-- the server offers these; without them it is as right, but slower where very many articles have codes.
do $$
declare
  article text;
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  foreach article in array array['part', 'supplier_part', 'manufacturer_part'] loop
    execute format('create index %I on %I using gin (barcode_data gin_trgm_ops) where barcode_data <> ''''',
      article || '_barcode_data_idx', article);
  end loop;
end
$$;
