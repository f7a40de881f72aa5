CREATE INDEX "purchase_order_by_created_by_idx" ON "purchase_order" USING btree ("created_by","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_by_updated_at_idx" ON "purchase_order" USING btree ("updated_at","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_by_complete_date_idx" ON "purchase_order" USING btree ("complete_date","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_created_by_idx" ON "return_order" USING btree ("created_by","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_updated_at_idx" ON "return_order" USING btree ("updated_at","pk");--> statement-breakpoint
CREATE INDEX "return_order_by_complete_date_idx" ON "return_order" USING btree ("complete_date","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_created_by_idx" ON "sales_order" USING btree ("created_by","pk");--> statement-breakpoint
CREATE INDEX "sales_order_by_updated_at_idx" ON "sales_order" USING btree ("updated_at","pk");--> statement-breakpoint
CREATE INDEX "transfer_order_by_created_by_idx" ON "transfer_order" USING btree ("created_by","pk");--> statement-breakpoint
CREATE INDEX "transfer_order_by_updated_at_idx" ON "transfer_order" USING btree ("updated_at","pk");--> statement-breakpoint
CREATE INDEX "part_by_default_location_idx" ON "part" USING btree ("default_location","pk");--> statement-breakpoint
CREATE INDEX "stock_item_test_result_by_test_station_idx" ON "stock_item_test_result" USING btree ("test_station","pk");--> statement-breakpoint
CREATE INDEX "stock_item_test_result_by_started_datetime_idx" ON "stock_item_test_result" USING btree ("started_datetime","pk");--> statement-breakpoint
CREATE INDEX "stock_item_test_result_by_finished_datetime_idx" ON "stock_item_test_result" USING btree ("finished_datetime","pk");