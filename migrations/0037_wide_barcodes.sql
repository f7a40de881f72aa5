ALTER TABLE "manufacturer_part" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "manufacturer_part" ALTER COLUMN "barcode_data" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "supplier_part" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "supplier_part" ALTER COLUMN "barcode_data" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "purchase_order" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "purchase_order" ALTER COLUMN "barcode_data" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "return_order" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "return_order" ALTER COLUMN "barcode_data" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "sales_order" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "sales_order" ALTER COLUMN "barcode_data" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "part" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "part" ALTER COLUMN "barcode_data" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "stock_location" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "stock_location" ALTER COLUMN "barcode_data" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "stock_item" ALTER COLUMN "barcode_data" SET DATA TYPE varchar(4095) collate "C";--> statement-breakpoint
ALTER TABLE "stock_item" ALTER COLUMN "barcode_data" SET DEFAULT '';