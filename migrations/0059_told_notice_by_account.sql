ALTER TABLE "told_notice" ADD COLUMN "user" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "told_notice" DROP CONSTRAINT "told_notice_pkey";
--> statement-breakpoint
ALTER TABLE "told_notice" ADD CONSTRAINT "told_notice_pkey" PRIMARY KEY("category","target","occasion","user");