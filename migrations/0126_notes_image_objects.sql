ALTER TABLE "notes_image" ADD COLUMN "model_type" varchar(100) collate "C";--> statement-breakpoint
ALTER TABLE "notes_image" ADD COLUMN "model_id" integer;