ALTER TABLE "purchase_order_extra_line" ADD COLUMN "line" varchar(20) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order_extra_line" ADD COLUMN "line_int" integer GENERATED ALWAYS AS (least(coalesce(substring(line from '[0-9]+'), '0')::numeric, 2147483647)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order_extra_line" ADD COLUMN "project_code" integer;--> statement-breakpoint
ALTER TABLE "purchase_order_extra_line" ADD COLUMN "discount" numeric(5, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD COLUMN "line" varchar(20) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD COLUMN "line_int" integer GENERATED ALWAYS AS (least(coalesce(substring(line from '[0-9]+'), '0')::numeric, 2147483647)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD COLUMN "project_code" integer;--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD COLUMN "discount" numeric(5, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD COLUMN "build_order" integer;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "start_date" date;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "updated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD COLUMN "destination" integer;--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ADD COLUMN "line" varchar(20) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ADD COLUMN "line_int" integer GENERATED ALWAYS AS (least(coalesce(substring(line from '[0-9]+'), '0')::numeric, 2147483647)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ADD COLUMN "project_code" integer;--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ADD COLUMN "discount" numeric(5, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order_line" ADD COLUMN "line" varchar(20) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order_line" ADD COLUMN "line_int" integer GENERATED ALWAYS AS (least(coalesce(substring(line from '[0-9]+'), '0')::numeric, 2147483647)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order_line" ADD COLUMN "project_code" integer;--> statement-breakpoint
ALTER TABLE "return_order_line" ADD COLUMN "discount" numeric(5, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "return_order" ADD COLUMN "start_date" date;--> statement-breakpoint
ALTER TABLE "return_order" ADD COLUMN "updated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ADD COLUMN "line" varchar(20) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ADD COLUMN "line_int" integer GENERATED ALWAYS AS (least(coalesce(substring(line from '[0-9]+'), '0')::numeric, 2147483647)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ADD COLUMN "project_code" integer;--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ADD COLUMN "discount" numeric(5, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_line" ADD COLUMN "line" varchar(20) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_line" ADD COLUMN "line_int" integer GENERATED ALWAYS AS (least(coalesce(substring(line from '[0-9]+'), '0')::numeric, 2147483647)::integer) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_line" ADD COLUMN "project_code" integer;--> statement-breakpoint
ALTER TABLE "sales_order_line" ADD COLUMN "discount" numeric(5, 2) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ADD COLUMN "shipment_address" integer;--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ADD COLUMN "barcode_data" varchar(4095) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ADD COLUMN "barcode_hash" varchar(128) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ADD COLUMN "barcode_key" varchar(32) collate "C" DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "start_date" date;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "updated_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sales_order" ADD COLUMN "issue_date" date;--> statement-breakpoint
ALTER TABLE "purchase_order_extra_line" ADD CONSTRAINT "purchase_order_extra_line_project_code_project_code_pk_fk" FOREIGN KEY ("project_code") REFERENCES "public"."project_code"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD CONSTRAINT "purchase_order_line_project_code_project_code_pk_fk" FOREIGN KEY ("project_code") REFERENCES "public"."project_code"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD CONSTRAINT "purchase_order_line_build_order_build_order_pk_fk" FOREIGN KEY ("build_order") REFERENCES "public"."build_order"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase_order" ADD CONSTRAINT "purchase_order_destination_stock_location_pk_fk" FOREIGN KEY ("destination") REFERENCES "public"."stock_location"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ADD CONSTRAINT "return_order_extra_line_project_code_project_code_pk_fk" FOREIGN KEY ("project_code") REFERENCES "public"."project_code"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_order_line" ADD CONSTRAINT "return_order_line_project_code_project_code_pk_fk" FOREIGN KEY ("project_code") REFERENCES "public"."project_code"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ADD CONSTRAINT "sales_order_extra_line_project_code_project_code_pk_fk" FOREIGN KEY ("project_code") REFERENCES "public"."project_code"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order_line" ADD CONSTRAINT "sales_order_line_project_code_project_code_pk_fk" FOREIGN KEY ("project_code") REFERENCES "public"."project_code"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sales_order_shipment" ADD CONSTRAINT "sales_order_shipment_shipment_address_address_pk_fk" FOREIGN KEY ("shipment_address") REFERENCES "public"."address"("pk") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "purchase_order_extra_line_by_line_idx" ON "purchase_order_extra_line" USING btree ("line_int","line","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_extra_line_project_code_idx" ON "purchase_order_extra_line" USING btree ("project_code") WHERE "purchase_order_extra_line"."project_code" is not null;--> statement-breakpoint
CREATE INDEX "purchase_order_line_by_line_idx" ON "purchase_order_line" USING btree ("line_int","line","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_line_project_code_idx" ON "purchase_order_line" USING btree ("project_code") WHERE "purchase_order_line"."project_code" is not null;--> statement-breakpoint
CREATE INDEX "purchase_order_line_build_order_idx" ON "purchase_order_line" USING btree ("build_order") WHERE "purchase_order_line"."build_order" is not null;--> statement-breakpoint
CREATE INDEX "purchase_order_by_start_date_idx" ON "purchase_order" USING btree ("start_date","pk");--> statement-breakpoint
CREATE INDEX "purchase_order_destination_idx" ON "purchase_order" USING btree ("destination") WHERE "purchase_order"."destination" is not null;--> statement-breakpoint
CREATE INDEX "return_order_extra_line_by_line_idx" ON "return_order_extra_line" USING btree ("line_int","line","pk");--> statement-breakpoint
CREATE INDEX "return_order_extra_line_project_code_idx" ON "return_order_extra_line" USING btree ("project_code") WHERE "return_order_extra_line"."project_code" is not null;--> statement-breakpoint
CREATE INDEX "return_order_line_by_quantity_idx" ON "return_order_line" USING btree ("quantity","pk");--> statement-breakpoint
CREATE INDEX "return_order_line_by_line_idx" ON "return_order_line" USING btree ("line_int","line","pk");--> statement-breakpoint
CREATE INDEX "return_order_line_project_code_idx" ON "return_order_line" USING btree ("project_code") WHERE "return_order_line"."project_code" is not null;--> statement-breakpoint
CREATE INDEX "return_order_by_start_date_idx" ON "return_order" USING btree ("start_date","pk");--> statement-breakpoint
CREATE INDEX "sales_order_extra_line_by_line_idx" ON "sales_order_extra_line" USING btree ("line_int","line","pk");--> statement-breakpoint
CREATE INDEX "sales_order_extra_line_project_code_idx" ON "sales_order_extra_line" USING btree ("project_code") WHERE "sales_order_extra_line"."project_code" is not null;--> statement-breakpoint
CREATE INDEX "sales_order_line_by_line_idx" ON "sales_order_line" USING btree ("line_int","line","pk");--> statement-breakpoint
CREATE INDEX "sales_order_line_project_code_idx" ON "sales_order_line" USING btree ("project_code") WHERE "sales_order_line"."project_code" is not null;--> statement-breakpoint
CREATE INDEX "sales_order_shipment_address_idx" ON "sales_order_shipment" USING btree ("shipment_address") WHERE "sales_order_shipment"."shipment_address" is not null;--> statement-breakpoint
CREATE INDEX "sales_order_by_start_date_idx" ON "sales_order" USING btree ("start_date","pk");--> statement-breakpoint
ALTER TABLE "purchase_order_extra_line" ADD CONSTRAINT "purchase_order_extra_line_discount_check" CHECK ("purchase_order_extra_line"."discount" between 0 and 100);--> statement-breakpoint
ALTER TABLE "purchase_order_line" ADD CONSTRAINT "purchase_order_line_discount_check" CHECK ("purchase_order_line"."discount" between 0 and 100);--> statement-breakpoint
ALTER TABLE "return_order_extra_line" ADD CONSTRAINT "return_order_extra_line_discount_check" CHECK ("return_order_extra_line"."discount" between 0 and 100);--> statement-breakpoint
ALTER TABLE "return_order_line" ADD CONSTRAINT "return_order_line_discount_check" CHECK ("return_order_line"."discount" between 0 and 100);--> statement-breakpoint
ALTER TABLE "return_order_line" ADD CONSTRAINT "return_order_line_quantity_check" CHECK ("return_order_line"."quantity" >= 0);--> statement-breakpoint
ALTER TABLE "sales_order_extra_line" ADD CONSTRAINT "sales_order_extra_line_discount_check" CHECK ("sales_order_extra_line"."discount" between 0 and 100);--> statement-breakpoint
ALTER TABLE "sales_order_line" ADD CONSTRAINT "sales_order_line_discount_check" CHECK ("sales_order_line"."discount" between 0 and 100);--> statement-breakpoint
-- the last change of existing orders is unknown
ALTER TABLE "purchase_order" ALTER COLUMN "updated_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "sales_order" ALTER COLUMN "updated_at" SET DEFAULT now();--> statement-breakpoint
ALTER TABLE "return_order" ALTER COLUMN "updated_at" SET DEFAULT now();--> statement-breakpoint
create function date_order_change() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end
$$;
--> statement-breakpoint
create trigger date_change before update on purchase_order for each row execute function date_order_change();--> statement-breakpoint
create trigger date_change before update on sales_order for each row execute function date_order_change();--> statement-breakpoint
create trigger date_change before update on return_order for each row execute function date_order_change();--> statement-breakpoint
select keep_codes('sales_order_shipment', 'salesordershipment');
--> statement-breakpoint
do $$
declare
  watched text;
begin
  foreach watched in array array['purchase_order', 'sales_order', 'return_order'] loop
    execute format('drop trigger record_events_insert on %I', watched);
    execute format('drop trigger record_events_update on %I', watched);
    execute format('drop trigger record_events_delete on %I', watched);
    perform watch_events(watched::regclass, array[
      'line_items', 'completed_lines', 'total_price', 'total_price_currency', 'updated_at', 'barcode_key'
    ]);
  end loop;
end
$$;
