-- Events: what happened to which object, in the transaction of the change (ADR 0029).

-- Who writes stands in the setting `stockroom.account` of the transaction. `stockroom.events` is off where nothing is to be told: an
-- import, a migration.
--
-- The arguments of the trigger of an update are columns that follow from others, most of them kept by triggers: what changes only these tells
-- nothing, for the change behind it does. A statement that leaves a row as it was tells nothing either.
create function record_events() returns trigger language plpgsql as $$
declare
  account constant integer := nullif(current_setting('stockroom.account', true), '')::integer;
begin
  if current_setting('stockroom.events', true) = 'off' then return null; end if;
  if tg_op = 'INSERT' then
    insert into event (model, key, kind, account) select tg_table_name, pk, 'created', account from new_rows order by pk;
  elsif tg_op = 'DELETE' then
    insert into event (model, key, kind, account) select tg_table_name, pk, 'deleted', account from old_rows order by pk;
  elsif tg_nargs = 0 then
    insert into event (model, key, kind, account) select tg_table_name, pk, 'saved', account
    from new_rows join old_rows using (pk) where new_rows *<> old_rows order by pk;
  else
    insert into event (model, key, kind, account) select tg_table_name, pk, 'saved', account
    from new_rows join old_rows using (pk)
    where new_rows *<> old_rows and to_jsonb(new_rows) - tg_argv <> to_jsonb(old_rows) - tg_argv
    order by pk;
  end if;
  return null;
end
$$;
--> statement-breakpoint

-- Tells that something was done to an object of a table. The object is locked.
create function say_event(model text, key integer, kind text) returns void language sql as $$
  insert into event (model, key, kind, account)
  values (model, key, kind, nullif(current_setting('stockroom.account', true), '')::integer)
$$;
--> statement-breakpoint

-- Tells the changes of a table from now on. Each migration that makes a table of objects calls this.
create function watch_events(watched regclass, kept text[] default '{}') returns void language plpgsql as $$
begin
  execute format('create trigger record_events_insert after insert on %s referencing new table as new_rows
    for each statement execute function record_events()', watched);
  execute format('create trigger record_events_update after update on %s referencing old table as old_rows new table as new_rows
    for each statement execute function record_events(%s)', watched,
    (select string_agg(quote_literal(name), ', ') from unnest(kept) name));
  execute format('create trigger record_events_delete after delete on %s referencing old table as old_rows
    for each statement execute function record_events()', watched);
end
$$;
--> statement-breakpoint

select watch_events(watched::regclass) from unnest(array[
  'address', 'bom_report', 'build_line_label', 'build_report', 'company', 'company_attachment', 'contact', 'custom_unit',
  'manufacturer_part_attachment', 'manufacturer_part_parameter', 'notes_image', 'part_attachment',
  'part_category_star', 'part_label', 'part_star', 'project_code', 'purchase_order_attachment', 'purchase_order_extra_line',
  'purchase_order_line', 'purchase_order_report', 'report_asset', 'report_snippet', 'return_order_attachment',
  'return_order_extra_line', 'return_order_line', 'return_order_report', 'sales_order_allocation', 'sales_order_attachment',
  'sales_order_extra_line', 'sales_order_line', 'sales_order_report', 'sales_order_shipment', 'setting', 'stock_item_attachment',
  'stock_item_label', 'stock_location_label', 'stock_location_report', 'stock_location_type', 'stock_tracking',
  'supplier_price_break', 'test_report', 'user_setting'
]) watched;
--> statement-breakpoint
select watch_events('part_category', array['path', 'level', 'name_path', 'pathstring']);
--> statement-breakpoint
select watch_events('stock_location', array['path', 'level', 'name_path', 'pathstring', 'barcode_key']);
--> statement-breakpoint
select watch_events('part', array['path', 'level', 'full_name', 'barcode_key']);
--> statement-breakpoint
select watch_events(watched::regclass, array['barcode_key']) from unnest(array['manufacturer_part', 'supplier_part']) watched;
--> statement-breakpoint
select watch_events('stock_item', array['allocated_to_sales_orders', 'barcode_key']);
--> statement-breakpoint
select watch_events(watched::regclass, array['line_items', 'completed_lines', 'total_price', 'total_price_currency', 'barcode_key'])
from unnest(array['purchase_order', 'sales_order', 'return_order']) watched;
--> statement-breakpoint

create sequence event_position_seq;
--> statement-breakpoint

-- Gives committed events their positions, and gives how many they were. One at a time, on whichever node: what is numbered here was
-- committed before, and whatever is committed later gets a later position. Of one object, ids are in the order of the commits, for they
-- are taken while its row is locked; so they are positions in their order.
-- The statement is planned for the index of what is not numbered yet, however much is known of the table.
create function number_events(most integer) returns integer language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
declare
  numbered integer;
begin
  perform pg_advisory_xact_lock(hashtext('events'), 0);
  update event set position = next.position
  from (
    select id, nextval('event_position_seq') as position
    from (select id from event where position is null order by id limit most) unnumbered
  ) next
  where event.id = next.id and event.position is null;
  get diagnostics numbered = row_count;
  if numbered > 0 then perform pg_notify('events', ''); end if;
  return numbered;
end
$$;
--> statement-breakpoint
-- Rows come and go all the time.
alter table event set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.2);
