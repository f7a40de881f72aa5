-- The priority of build orders is searched, too: without it in the index every build order was looked at.
do $$
begin
  if not exists (select from pg_extension where extname = 'pg_trgm') then return; end if;
  drop index if exists build_order_search_idx;
  create index build_order_search_idx on build_order using gin (
    reference collate "default" gin_trgm_ops, title collate "default" gin_trgm_ops, (priority::text collate "default") gin_trgm_ops
  );
end
$$;
