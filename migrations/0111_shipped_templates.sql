ALTER TABLE "build_line_label" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "part_label" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "stock_item_label" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "stock_location_label" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "bom_report" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "build_report" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "purchase_order_report" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "return_order_report" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "sales_order_report" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "stock_location_report" ADD COLUMN "shipped" text collate "C";--> statement-breakpoint
ALTER TABLE "test_report" ADD COLUMN "shipped" text collate "C";