CREATE INDEX "build_order_attachment_by_upload_date_idx" ON "build_order_attachment" USING btree ("upload_date","pk");--> statement-breakpoint
CREATE INDEX "company_attachment_by_upload_date_idx" ON "company_attachment" USING btree ("upload_date","pk");--> statement-breakpoint
CREATE INDEX "manufacturer_part_attachment_by_upload_date_idx" ON "manufacturer_part_attachment" USING btree ("upload_date","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_attachment_by_upload_date_idx" ON "purchase_order_attachment" USING btree ("upload_date","pk");--> statement-breakpoint
CREATE INDEX "return_order_attachment_by_upload_date_idx" ON "return_order_attachment" USING btree ("upload_date","pk");--> statement-breakpoint
CREATE INDEX "sales_order_attachment_by_upload_date_idx" ON "sales_order_attachment" USING btree ("upload_date","pk");--> statement-breakpoint
CREATE INDEX "part_attachment_by_upload_date_idx" ON "part_attachment" USING btree ("upload_date","pk");--> statement-breakpoint
CREATE INDEX "stock_item_attachment_by_upload_date_idx" ON "stock_item_attachment" USING btree ("upload_date","pk");