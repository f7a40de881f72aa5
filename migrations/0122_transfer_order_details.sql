ALTER TABLE "attachment" DROP CONSTRAINT "attachment_owner_check";--> statement-breakpoint
ALTER TABLE "parameter" DROP CONSTRAINT "parameter_owner_check";--> statement-breakpoint
DROP INDEX "attachment_by_model_id_idx";--> statement-breakpoint
ALTER TABLE "attachment" ADD COLUMN "transfer_order" integer;--> statement-breakpoint
ALTER TABLE "parameter" ADD COLUMN "transfer_order" integer;--> statement-breakpoint
ALTER TABLE "transfer_order" ADD COLUMN "status_custom_key" integer;--> statement-breakpoint
ALTER TABLE "transfer_order" ADD COLUMN "tags" text array collate "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_transfer_order_transfer_order_pk_fk" FOREIGN KEY ("transfer_order") REFERENCES "public"."transfer_order"("pk") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "parameter" ADD CONSTRAINT "parameter_transfer_order_transfer_order_pk_fk" FOREIGN KEY ("transfer_order") REFERENCES "public"."transfer_order"("pk") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachment_transfer_order_idx" ON "attachment" USING btree ("transfer_order") WHERE "attachment"."transfer_order" is not null;--> statement-breakpoint
CREATE INDEX "attachment_by_model_id_idx" ON "attachment" USING btree (coalesce(part, stock_item, company, supplier_part, manufacturer_part, build_order, purchase_order, sales_order, sales_order_shipment, return_order, transfer_order),"pk");--> statement-breakpoint
CREATE UNIQUE INDEX "parameter_transfer_order_template_key" ON "parameter" USING btree ("transfer_order","template") WHERE "parameter"."transfer_order" is not null;--> statement-breakpoint
CREATE INDEX "transfer_order_status_custom_key_idx" ON "transfer_order" USING btree ("status_custom_key") WHERE "transfer_order"."status_custom_key" is not null;--> statement-breakpoint
CREATE INDEX "transfer_order_tags_idx" ON "transfer_order" USING gin ("tags");--> statement-breakpoint
ALTER TABLE "attachment" ADD CONSTRAINT "attachment_owner_check" CHECK (num_nonnulls(part, stock_item, company, supplier_part, manufacturer_part, build_order, purchase_order, sales_order, sales_order_shipment, return_order, transfer_order) = 1 and case model_type when 'part' then part when 'stockitem' then stock_item when 'company' then company when 'supplierpart' then supplier_part when 'manufacturerpart' then manufacturer_part when 'build' then build_order when 'purchaseorder' then purchase_order when 'salesorder' then sales_order when 'salesordershipment' then sales_order_shipment when 'returnorder' then return_order when 'transferorder' then transfer_order end is not null);--> statement-breakpoint
ALTER TABLE "parameter" ADD CONSTRAINT "parameter_owner_check" CHECK (num_nonnulls(part, part_category, company, supplier_part, manufacturer_part, build_order, purchase_order, sales_order, sales_order_shipment, return_order, transfer_order, stock_location) = 1);--> statement-breakpoint
-- Few orders have tags: a search reads only those that have some (0007_search.sql).
create index transfer_order_tagged_idx on transfer_order (pk) where tags <> '{}';--> statement-breakpoint
-- as in the migration custom_states
create trigger end_custom_state before update of status on transfer_order for each row
  when (old.status <> new.status and old.status_custom_key is not null and old.status_custom_key is not distinct from new.status_custom_key)
  execute function end_custom_state();
