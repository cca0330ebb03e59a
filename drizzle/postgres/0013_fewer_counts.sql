-- An hour had its count in several rows. The counts of the current hour start again.
DELETE FROM "site_count";--> statement-breakpoint
DROP INDEX "spent_proof_network_index";--> statement-breakpoint
ALTER TABLE "site_count" DROP CONSTRAINT "site_count_key_since_part_pk";--> statement-breakpoint
ALTER TABLE "site_count" ADD CONSTRAINT "site_count_key_since_pk" PRIMARY KEY("key","since");--> statement-breakpoint
ALTER TABLE "auth_throttle" DROP COLUMN "network_1";--> statement-breakpoint
ALTER TABLE "auth_throttle" DROP COLUMN "network_2";--> statement-breakpoint
ALTER TABLE "auth_throttle" DROP COLUMN "network_3";--> statement-breakpoint
ALTER TABLE "auth_throttle" DROP COLUMN "network_4";--> statement-breakpoint
ALTER TABLE "auth_throttle" DROP COLUMN "network_5";--> statement-breakpoint
ALTER TABLE "site_count" DROP COLUMN "part";--> statement-breakpoint
ALTER TABLE "spent_proof" DROP COLUMN "network";--> statement-breakpoint
ALTER TABLE "spent_proof" DROP COLUMN "spent_at";