CREATE TABLE "machine_state" (
	"machine" integer PRIMARY KEY NOT NULL,
	"initialized" boolean DEFAULT false NOT NULL,
	"status" integer NOT NULL,
	"status_text" varchar(250) collate "C" DEFAULT '' NOT NULL,
	"error" varchar(250) collate "C" DEFAULT '' NOT NULL,
	"restart_required" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "machine_state" ADD CONSTRAINT "machine_state_machine_machine_pk_fk" FOREIGN KEY ("machine") REFERENCES "public"."machine"("pk") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
select watch_changes('machine_state');
