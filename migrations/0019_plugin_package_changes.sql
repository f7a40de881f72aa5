-- A package that is installed, replaced or taken away: every node loads its plugins anew (channel `plugins`).
create function reload_plugins() returns trigger language plpgsql as $$
begin
  update plugin_registry set reloads = reloads + 1;
  return null;
end
$$;
--> statement-breakpoint
create trigger reload_plugins after insert or update or delete on plugin_package
  for each statement execute function reload_plugins();
--> statement-breakpoint
create trigger reload_plugins_truncate after truncate on plugin_package
  for each statement execute function reload_plugins();
