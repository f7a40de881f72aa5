DROP INDEX "stock_item_part_idx";--> statement-breakpoint
CREATE INDEX "stock_item_gone_idx" ON "stock_item" USING btree ("part","pk") WHERE not "stock_item"."in_stock";--> statement-breakpoint
CREATE INDEX "stock_item_part_idx" ON "stock_item" USING btree ("part","quantity","location","pk","in_stock");