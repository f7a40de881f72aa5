CREATE TABLE "loose_file" (
	"path" text collate "C" PRIMARY KEY NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "company_image_idx" ON "company" USING btree ("image") WHERE "company"."image" is not null;--> statement-breakpoint
CREATE INDEX "part_image_idx" ON "part" USING btree ("image") WHERE "part"."image" is not null;