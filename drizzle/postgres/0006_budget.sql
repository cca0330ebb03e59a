CREATE TABLE "site_count" (
	"key" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"part" integer NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "site_count_key_since_part_pk" PRIMARY KEY("key","since","part")
);
--> statement-breakpoint
CREATE TABLE "spent_proof" (
	"id" text PRIMARY KEY NOT NULL,
	"network" text,
	"spent_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "auth_throttle" ADD COLUMN "network_1" text;--> statement-breakpoint
ALTER TABLE "auth_throttle" ADD COLUMN "network_2" text;--> statement-breakpoint
ALTER TABLE "auth_throttle" ADD COLUMN "network_3" text;--> statement-breakpoint
ALTER TABLE "auth_throttle" ADD COLUMN "network_4" text;--> statement-breakpoint
ALTER TABLE "auth_throttle" ADD COLUMN "network_5" text;--> statement-breakpoint
CREATE INDEX "site_count_since_index" ON "site_count" USING btree ("since");--> statement-breakpoint
CREATE INDEX "spent_proof_network_index" ON "spent_proof" USING btree ("network","spent_at");--> statement-breakpoint
CREATE INDEX "spent_proof_expires_at_index" ON "spent_proof" USING btree ("expires_at");