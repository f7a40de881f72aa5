CREATE INDEX "build_line_label_label_idx" ON "build_line_label" USING hash ("label");--> statement-breakpoint
CREATE INDEX "part_label_label_idx" ON "part_label" USING hash ("label");--> statement-breakpoint
CREATE INDEX "stock_item_label_label_idx" ON "stock_item_label" USING hash ("label");--> statement-breakpoint
CREATE INDEX "stock_location_label_label_idx" ON "stock_location_label" USING hash ("label");--> statement-breakpoint
CREATE INDEX "report_asset_asset_idx" ON "report_asset" USING hash ("asset");--> statement-breakpoint
CREATE INDEX "bom_report_template_idx" ON "bom_report" USING hash ("template");--> statement-breakpoint
CREATE INDEX "build_report_template_idx" ON "build_report" USING hash ("template");--> statement-breakpoint
CREATE INDEX "purchase_order_report_template_idx" ON "purchase_order_report" USING hash ("template");--> statement-breakpoint
CREATE INDEX "return_order_report_template_idx" ON "return_order_report" USING hash ("template");--> statement-breakpoint
CREATE INDEX "sales_order_report_template_idx" ON "sales_order_report" USING hash ("template");--> statement-breakpoint
CREATE INDEX "stock_location_report_template_idx" ON "stock_location_report" USING hash ("template");--> statement-breakpoint
CREATE INDEX "test_report_template_idx" ON "test_report" USING hash ("template");--> statement-breakpoint
CREATE INDEX "report_snippet_snippet_idx" ON "report_snippet" USING hash ("snippet");