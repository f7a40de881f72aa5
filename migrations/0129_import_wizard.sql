CREATE TABLE "import_heading" (
	"user" integer NOT NULL,
	"model_type" varchar(100) collate "C" NOT NULL,
	"heading" varchar(100) collate "C" NOT NULL,
	"field" varchar(100) collate "C" DEFAULT '' NOT NULL,
	"used" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_heading_pkey" PRIMARY KEY("user","model_type","heading")
);
--> statement-breakpoint
ALTER TABLE "import_column_mapping" ADD COLUMN "create_missing" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "import_row" ADD COLUMN "created" json;--> statement-breakpoint
ALTER TABLE "import_row" ADD COLUMN "written" varchar(32) collate "C";--> statement-breakpoint
ALTER TABLE "import_row" ADD COLUMN "accepted" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "import_session" ADD COLUMN "file_row_count" integer;--> statement-breakpoint
ALTER TABLE "import_session" ADD COLUMN "sample_rows" json;--> statement-breakpoint
ALTER TABLE "import_heading" ADD CONSTRAINT "import_heading_user_user_account_pk_fk" FOREIGN KEY ("user") REFERENCES "public"."user_account"("pk") ON DELETE cascade ON UPDATE cascade;