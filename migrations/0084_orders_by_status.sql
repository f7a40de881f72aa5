CREATE INDEX "build_order_by_status_idx" ON "build_order" USING btree ("status","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_by_status_idx" ON "purchase_order" USING btree ("status","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_status_idx" ON "return_order" USING btree ("status","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_status_idx" ON "sales_order" USING btree ("status","pk");