CREATE INDEX "manufacturer_part_upper_MPN_idx" ON "manufacturer_part" USING btree (upper("MPN"));--> statement-breakpoint
CREATE INDEX "supplier_part_upper_SKU_idx" ON "supplier_part" USING btree (upper("SKU"));--> statement-breakpoint
CREATE INDEX "purchase_order_placed_reference_idx" ON "purchase_order" USING btree (upper("reference")) WHERE "purchase_order"."status" = 20;--> statement-breakpoint
CREATE INDEX "purchase_order_placed_supplier_reference_idx" ON "purchase_order" USING btree (upper("supplier_reference")) WHERE "purchase_order"."status" = 20;