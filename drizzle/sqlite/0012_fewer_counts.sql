DROP INDEX `spent_proof_network_index`;--> statement-breakpoint
ALTER TABLE `spent_proof` DROP COLUMN `network`;--> statement-breakpoint
ALTER TABLE `spent_proof` DROP COLUMN `spent_at`;--> statement-breakpoint
-- An hour had its count in several rows. The counts of the current hour start again.
DROP TABLE `site_count`;--> statement-breakpoint
CREATE TABLE `site_count` (
	`key` text NOT NULL,
	`since` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`key`, `since`)
);
--> statement-breakpoint
CREATE INDEX `site_count_since_index` ON `site_count` (`since`);--> statement-breakpoint
ALTER TABLE `auth_throttle` DROP COLUMN `network_1`;--> statement-breakpoint
ALTER TABLE `auth_throttle` DROP COLUMN `network_2`;--> statement-breakpoint
ALTER TABLE `auth_throttle` DROP COLUMN `network_3`;--> statement-breakpoint
ALTER TABLE `auth_throttle` DROP COLUMN `network_4`;--> statement-breakpoint
ALTER TABLE `auth_throttle` DROP COLUMN `network_5`;