-- The exact count of the list of this table.
select watch_changes('plugin_config');
--> statement-breakpoint
-- What is known of the plugins as a whole is there from the start.
insert into plugin_registry (pk) values (1);
--> statement-breakpoint
-- Channel `plugins`: which plugins run has changed, or all are to be loaded anew. PostgreSQL delivers it when the change is committed.
create function notify_plugins() returns trigger language plpgsql as $$
begin
  perform pg_notify('plugins', '');
  return null;
end
$$;
--> statement-breakpoint
create trigger notify_plugins after insert or delete or update of key, active, activated_by on plugin_config
  for each statement execute function notify_plugins();
--> statement-breakpoint
create trigger notify_plugins_truncate after truncate on plugin_config
  for each statement execute function notify_plugins();
--> statement-breakpoint
create trigger notify_plugins after update of reloads on plugin_registry
  for each statement execute function notify_plugins();
