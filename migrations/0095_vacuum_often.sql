-- Pages are found in the indexes of orders by keys alone (ADR 0035), which PostgreSQL can only do where its vacuum has been since the last
-- change: else each row that is passed over is looked at. By itself it comes when a fifth of a table has changed; here after 500 changes and
-- a two-thousandth of the table, and as soon for what is added.
do $$
declare
  ordered text;
begin
  for ordered in
    select distinct t.relname from pg_index i join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    where t.relnamespace = current_schema()::regnamespace
      and (starts_with(x.relname, t.relname || '_by_') or t.relname = 'stock_tracking')
  loop
    execute format(
      'alter table %I set (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.0005, autovacuum_vacuum_insert_scale_factor = 0.01)',
      ordered
    );
  end loop;
end
$$;
