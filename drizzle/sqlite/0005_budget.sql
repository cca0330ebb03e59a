CREATE TABLE `site_count` (
	`key` text NOT NULL,
	`since` integer NOT NULL,
	`part` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`key`, `since`, `part`)
);
--> statement-breakpoint
CREATE INDEX `site_count_since_index` ON `site_count` (`since`);--> statement-breakpoint
CREATE TABLE `spent_proof` (
	`id` text PRIMARY KEY NOT NULL,
	`network` text,
	`spent_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_proof_network_index` ON `spent_proof` (`network`,`spent_at`);--> statement-breakpoint
CREATE INDEX `spent_proof_expires_at_index` ON `spent_proof` (`expires_at`);--> statement-breakpoint
ALTER TABLE `auth_throttle` ADD `network_1` text;--> statement-breakpoint
ALTER TABLE `auth_throttle` ADD `network_2` text;--> statement-breakpoint
ALTER TABLE `auth_throttle` ADD `network_3` text;--> statement-breakpoint
ALTER TABLE `auth_throttle` ADD `network_4` text;--> statement-breakpoint
ALTER TABLE `auth_throttle` ADD `network_5` text;