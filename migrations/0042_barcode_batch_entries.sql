CREATE TABLE "barcode_batch_entry" (
	"user" integer NOT NULL,
	"id" varchar(100) collate "C" NOT NULL,
	"entry_hash" "bytea" NOT NULL,
	"status" integer,
	"body" text collate "C",
	"scan" integer,
	"created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "barcode_batch_entry_pkey" PRIMARY KEY("user","id")
);
--> statement-breakpoint
ALTER TABLE "barcode_batch_entry" ADD CONSTRAINT "barcode_batch_entry_user_user_account_pk_fk" FOREIGN KEY ("user") REFERENCES "public"."user_account"("pk") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "barcode_batch_entry_created_idx" ON "barcode_batch_entry" USING btree ("created");