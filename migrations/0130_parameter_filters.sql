-- Parts by the value of a parameter: counted from the index alone, and texts in any case.
DROP INDEX "parameter_template_data_numeric_idx";--> statement-breakpoint
CREATE INDEX "parameter_template_data_numeric_part_idx" ON "parameter" USING btree ("template","data_numeric","part");--> statement-breakpoint
CREATE INDEX "parameter_template_lower_data_idx" ON "parameter" USING btree ("template",lower("data"));--> statement-breakpoint
-- A text belongs to one template or a few: without this, PostgreSQL expects far fewer matches.
CREATE STATISTICS "parameter_template_lower_data_stats" (mcv) ON "template", lower("data") FROM "parameter";
