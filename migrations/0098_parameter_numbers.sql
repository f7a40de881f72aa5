-- Values such as 10R, or 33p of a template in pF, had numbers that were wrong. Numbers are worked out by the service: its next start does so
-- for the templates that are marked.
ALTER TABLE "part_parameter_template" ADD COLUMN "numbers_outdated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
update part_parameter_template template set numbers_outdated = true
where units <> '' and exists (select from part_parameter parameter where parameter.template = template.pk);
