DROP TABLE "part_parameter_template" CASCADE;--> statement-breakpoint
DROP TABLE "part_parameter" CASCADE;--> statement-breakpoint
select watch_changes(watched::regclass), watch_events(watched::regclass) from unnest(array[
  'parameter', 'parameter_template', 'selection_list', 'selection_list_entry'
]) watched;
--> statement-breakpoint
-- tests belonged to trackable parts
update part set testable = true where trackable;
--> statement-breakpoint
-- as other tables with an index for the order of their list (vacuum_often)
alter table parameter set (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0.0005, autovacuum_vacuum_insert_scale_factor = 0.01);
