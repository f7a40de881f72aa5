ALTER TABLE "build_order" ADD COLUMN "tags" text array collate "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "company" ADD COLUMN "tags" text array collate "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "tags" text array collate "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order" ADD COLUMN "tags" text array collate "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ADD COLUMN "tags" text array collate "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "tags" text array collate "C" DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX "build_order_tags_idx" ON "build_order" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "company_tags_idx" ON "company" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "purchase_order_tags_idx" ON "purchase_order" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "return_order_tags_idx" ON "return_order" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "sales_order_shipment_tags_idx" ON "sales_order_shipment" USING gin ("tags");--> statement-breakpoint
CREATE INDEX "sales_order_tags_idx" ON "sales_order" USING gin ("tags");--> statement-breakpoint
-- Few rows have tags: a search reads only those that have some (0007_search.sql).
do $$
declare
  tagged text;
begin
  foreach tagged in array array['attachment', 'build_order', 'company', 'purchase_order', 'return_order', 'sales_order', 'sales_order_shipment'] loop
    execute format('create index %I on %I (pk) where tags <> ''{}''', tagged || '_tagged_idx', tagged);
  end loop;
end
$$;
