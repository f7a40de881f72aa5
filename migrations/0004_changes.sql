-- What tells others that something changed: change counters for counts that were made earlier, notifications for what the service
-- keeps in memory. And the rows that come with accounts and groups.

-- Change counters -----------------------------------------------------------------------------------------------------------

-- A list answers with the exact number of rows without counting them, as long as no table behind it changed since they were last
-- counted: the sum of the table's counters is the same, in the same snapshot. Each connection bumps a row of its own, so writers
-- never wait for each other. The rows are rewritten all the time: free space in their pages keeps that cheap.
alter table change_counter set (fillfactor = 40, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
alter table part_quantity set (fillfactor = 80);

create function count_change() returns trigger language plpgsql as $$
begin
  if tg_op <> 'TRUNCATE' then
    -- A statement that touched no row changed nothing.
    if not exists (select from changed) then return null; end if;
  end if;
  insert into change_counter as counter (table_name, slot, value) values (tg_table_name, pg_backend_pid(), 1)
  on conflict (table_name, slot) do update set value = counter.value + 1;
  return null;
end
$$;

-- Counts the changes of a table from now on. Each migration that makes a table with a list calls this.
create function watch_changes(watched regclass) returns void language plpgsql as $$
begin
  execute format('create trigger count_change_insert after insert on %s referencing new table as changed
    for each statement execute function count_change()', watched);
  execute format('create trigger count_change_update after update on %s referencing new table as changed
    for each statement execute function count_change()', watched);
  execute format('create trigger count_change_delete after delete on %s referencing old table as changed
    for each statement execute function count_change()', watched);
  execute format('create trigger count_change_truncate after truncate on %s
    for each statement execute function count_change()', watched);
end
$$;

select watch_changes(watched::regclass) from unnest(array[
  'address', 'company', 'contact', 'currency_rate', 'custom_unit', 'manufacturer_part', 'manufacturer_part_parameter', 'owner',
  'part', 'part_category', 'part_category_star', 'part_pricing', 'part_quantity', 'part_star', 'project_code', 'purchase_order',
  'purchase_order_extra_line', 'purchase_order_line', 'rule_set', 'setting', 'stock_item', 'stock_location',
  'stock_location_type', 'stock_tracking', 'supplier_part', 'supplier_price_break', 'user_account', 'user_group',
  'user_group_member', 'user_setting'
]) watched;

-- Adds the counters of connections that ended to slot 0, so that the slots stay few. The sums do not change, so this may run
-- beside writers, at any time.
create function fold_change_counters() returns void language sql as $$
  with ended as (
    select table_name, slot from change_counter
    where slot <> 0 and slot not in (select pid from pg_stat_activity where pid is not null)
    order by table_name, slot
    for update skip locked
  ), gone as (
    delete from change_counter counter using ended
    where counter.table_name = ended.table_name and counter.slot = ended.slot
    returning counter.table_name, counter.value
  )
  insert into change_counter as counter (table_name, slot, value)
  select table_name, 0, sum(value) from gone group by table_name order by table_name
  on conflict (table_name, slot) do update set value = counter.value + excluded.value
$$;

-- Accounts ------------------------------------------------------------------------------------------------------------------

-- Things can belong to an account or group from the start. The owner goes with it by its foreign key.
create function make_account_owner() returns trigger language plpgsql as $$
begin
  insert into owner ("user") select pk from new_rows order by pk;
  return null;
end
$$;

create trigger make_account_owner after insert on user_account referencing new table as new_rows
  for each statement execute function make_account_owner();

-- A new group may look at everything and change nothing.
create function make_group_owner_and_rules() returns trigger language plpgsql as $$
begin
  insert into owner ("group") select pk from new_rows order by pk;
  insert into rule_set ("group", name)
  select pk, role.name from new_rows cross join unnest(array[
    'admin', 'part_category', 'part', 'stocktake', 'stock_location', 'stock', 'build', 'purchase_order', 'sales_order', 'return_order'
  ]) with ordinality role (name, place)
  order by pk, role.place;
  return null;
end
$$;

create trigger make_group_owner_and_rules after insert on user_group referencing new table as new_rows
  for each statement execute function make_group_owner_and_rules();

-- Notifications -------------------------------------------------------------------------------------------------------------

-- Channel `accounts`: what the service knows about an account is no longer good. The payload is the key of the account, or "*"
-- for all accounts. PostgreSQL delivers it when the change is committed, and equal ones once.
create function notify_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('accounts', old.pk::text);
  return null;
end
$$;

create trigger notify_account_update
  after update of pk, username, password, first_name, last_name, email, is_staff, is_superuser, is_active on user_account
  for each row when (
    (old.pk, old.username, old.password, old.first_name, old.last_name, old.email, old.is_staff, old.is_superuser, old.is_active)
    is distinct from
    (new.pk, new.username, new.password, new.first_name, new.last_name, new.email, new.is_staff, new.is_superuser, new.is_active)
  )
  execute function notify_account();
create trigger notify_account_delete after delete on user_account
  for each row execute function notify_account();

-- The same for rows that belong to an account.
create function notify_account_of_row() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('accounts', old."user"::text); end if;
  if tg_op <> 'DELETE' then perform pg_notify('accounts', new."user"::text); end if;
  return null;
end
$$;

create trigger notify_account_of_row after insert or update or delete on user_group_member
  for each row execute function notify_account_of_row();
-- A new key is not known to anyone yet, and the day on which it was last used changes nothing.
create trigger notify_account_of_row_update after update of "user", key_hash, expiry, revoked on api_token
  for each row when ((old."user", old.key_hash, old.expiry, old.revoked) is distinct from (new."user", new.key_hash, new.expiry, new.revoked))
  execute function notify_account_of_row();
create trigger notify_account_of_row_delete after delete on api_token
  for each row execute function notify_account_of_row();

-- Rights or name of a group: anybody may be in it.
create function notify_all_accounts() returns trigger language plpgsql as $$
begin
  perform pg_notify('accounts', '*');
  return null;
end
$$;

create trigger notify_all_accounts after insert or update or delete or truncate on rule_set
  for each statement execute function notify_all_accounts();
create trigger notify_all_accounts after update of pk, name on user_group
  for each statement execute function notify_all_accounts();

-- Channel `settings`: a stored setting changed. The payload is the key of the account, or "*" for a global setting.
create function notify_setting() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'setting' then
    perform pg_notify('settings', '*');
  else
    if tg_op <> 'INSERT' then perform pg_notify('settings', old."user"::text); end if;
    if tg_op <> 'DELETE' then perform pg_notify('settings', new."user"::text); end if;
  end if;
  return null;
end
$$;

create trigger notify_setting after insert or update or delete on setting
  for each row execute function notify_setting();
create trigger notify_setting after insert or update or delete on user_setting
  for each row execute function notify_setting();
