CREATE TABLE "demo_run" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"percent" integer DEFAULT 0 NOT NULL,
	"asked" timestamp with time zone DEFAULT now() NOT NULL,
	"heard" timestamp with time zone DEFAULT now() NOT NULL,
	"finished" timestamp with time zone,
	"error" text collate "C",
	CONSTRAINT "demo_run_only_check" CHECK ("demo_run"."only")
);
