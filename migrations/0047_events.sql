CREATE TABLE "event" (
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"position" bigint,
	"model" varchar(63) collate "C" NOT NULL,
	"key" integer NOT NULL,
	"kind" varchar(63) collate "C" NOT NULL,
	"account" integer,
	"created" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_reader" (
	"name" varchar(150) collate "C" PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"holder" text collate "C",
	"held_until" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"problem" text collate "C",
	"retry_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "event_unnumbered_idx" ON "event" USING btree ("id") WHERE "event"."position" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "event_position_idx" ON "event" USING btree ("position") WHERE "event"."position" is not null;