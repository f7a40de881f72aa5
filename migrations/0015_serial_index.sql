DROP INDEX "stock_item_part_serial_idx";--> statement-breakpoint
CREATE INDEX "stock_item_serial_idx" ON "stock_item" USING btree ("serial","part") WHERE "stock_item"."serial" is not null;