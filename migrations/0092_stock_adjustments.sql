CREATE TABLE "stock_adjustment" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user" integer NOT NULL,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	"action" varchar(10) collate "C" NOT NULL,
	"before" json NOT NULL,
	"after" json,
	"items" json,
	"undone" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "stock_adjustment" ADD CONSTRAINT "stock_adjustment_user_user_account_pk_fk" FOREIGN KEY ("user") REFERENCES "public"."user_account"("pk") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "stock_adjustment_user_idx" ON "stock_adjustment" USING btree ("user");--> statement-breakpoint
CREATE INDEX "stock_adjustment_created_idx" ON "stock_adjustment" USING btree ("created");