ALTER TABLE "user_session" ADD COLUMN "confirmed" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "api_token" ADD COLUMN "read_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- an open session was confirmed when it signed in, not when this ran
update user_session set confirmed = created;
