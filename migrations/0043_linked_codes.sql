CREATE TABLE "linked_code" (
	"hash" varchar(128) collate "C" PRIMARY KEY NOT NULL,
	"key" varchar(128) collate "C",
	"kind" varchar(32) collate "C" NOT NULL,
	"object" integer NOT NULL,
	CONSTRAINT "linked_code_key_key" UNIQUE("key")
);
--> statement-breakpoint
DROP INDEX "manufacturer_part_barcode_hash_key";--> statement-breakpoint
DROP INDEX "supplier_part_barcode_hash_key";--> statement-breakpoint
DROP INDEX "purchase_order_barcode_hash_key";--> statement-breakpoint
DROP INDEX "return_order_barcode_hash_key";--> statement-breakpoint
DROP INDEX "sales_order_barcode_hash_key";--> statement-breakpoint
DROP INDEX "part_barcode_hash_key";--> statement-breakpoint
DROP INDEX "stock_location_barcode_hash_key";--> statement-breakpoint
DROP INDEX "stock_item_barcode_hash_key";--> statement-breakpoint
ALTER TABLE "manufacturer_part" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "supplier_part" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "part" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_location" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "stock_item" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;