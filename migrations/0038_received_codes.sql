CREATE TABLE "received_code" (
	"key" varchar(32) collate "C" PRIMARY KEY NOT NULL,
	"received" timestamp with time zone DEFAULT now() NOT NULL
);
