CREATE TABLE `device` (
	`id` text PRIMARY KEY NOT NULL,
	`key_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_key_unique` ON `device` (`key_hash`,`user_id`);--> statement-breakpoint
CREATE INDEX `device_user_index` ON `device` (`user_id`,`used_at`);--> statement-breakpoint
CREATE INDEX `device_used_at_index` ON `device` (`used_at`);--> statement-breakpoint
ALTER TABLE `session` ADD `device_id` text;