ALTER TABLE "build_order" DROP CONSTRAINT "build_order_status_check";--> statement-breakpoint
ALTER TABLE "purchase_order" DROP CONSTRAINT "purchase_order_status_check";--> statement-breakpoint
ALTER TABLE "return_order" DROP CONSTRAINT "return_order_status_check";--> statement-breakpoint
ALTER TABLE "sales_order" DROP CONSTRAINT "sales_order_status_check";--> statement-breakpoint
DROP INDEX "build_order_active_idx";--> statement-breakpoint
DROP INDEX "purchase_order_open_idx";--> statement-breakpoint
DROP INDEX "return_order_open_idx";--> statement-breakpoint
DROP INDEX "sales_order_open_idx";--> statement-breakpoint
CREATE INDEX "build_order_active_idx" ON "build_order" USING btree ("reference_int","reference","pk") WHERE "build_order"."status" in (10, 20, 25);--> statement-breakpoint
CREATE INDEX "purchase_order_open_idx" ON "purchase_order" USING btree ("reference_int","reference","pk") WHERE "purchase_order"."status" in (10, 20, 25);--> statement-breakpoint
CREATE INDEX "return_order_open_idx" ON "return_order" USING btree ("reference_int","reference","pk") WHERE "return_order"."status" in (10, 20, 25);--> statement-breakpoint
CREATE INDEX "sales_order_open_idx" ON "sales_order" USING btree ("reference_int","reference","pk") WHERE "sales_order"."status" in (10, 15, 25);--> statement-breakpoint
ALTER TABLE "build_order" ADD CONSTRAINT "build_order_status_check" CHECK ("build_order"."status" in (10, 20, 25, 30, 40));--> statement-breakpoint
ALTER TABLE "purchase_order" ADD CONSTRAINT "purchase_order_status_check" CHECK ("purchase_order"."status" in (10, 20, 25, 30, 40, 50, 60));--> statement-breakpoint
ALTER TABLE "return_order" ADD CONSTRAINT "return_order_status_check" CHECK ("return_order"."status" in (10, 20, 25, 30, 40));--> statement-breakpoint
ALTER TABLE "sales_order" ADD CONSTRAINT "sales_order_status_check" CHECK ("sales_order"."status" in (10, 15, 20, 25, 40, 50, 60));--> statement-breakpoint
-- An order on hold is open: its lines are outstanding, and still require stock.
create or replace function is_open_order(status integer) returns boolean language sql immutable as $$
  select status in (10, 20, 25)
$$;
--> statement-breakpoint
create or replace function is_open_sales_order(status integer) returns boolean language sql immutable as $$
  select status in (10, 15, 25)
$$;
--> statement-breakpoint
create or replace function is_active_build(status integer) returns boolean language sql immutable as $$
  select status in (10, 20, 25)
$$;
