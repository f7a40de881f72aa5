-- Channel `plugin_settings`: a stored setting of a plugin changed. PostgreSQL delivers it when the change is committed, and equal ones once.
create function notify_plugin_settings() returns trigger language plpgsql as $$
begin
  perform pg_notify('plugin_settings', '');
  return null;
end
$$;
--> statement-breakpoint
create trigger notify_plugin_settings after insert or update or delete or truncate on plugin_setting
  for each statement execute function notify_plugin_settings();
