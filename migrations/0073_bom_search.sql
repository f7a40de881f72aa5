-- as for the other searched tables (0007_search.sql): without trigrams a search is as right, but slower on large tables
do $$
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  create index bom_item_search_idx on bom_item using gin (reference collate "default" gin_trgm_ops);
end
$$;
