CREATE TABLE `email_undo` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`depth` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_undo_email_unique` ON `email_undo` (`email`);--> statement-breakpoint
CREATE INDEX `email_undo_user_index` ON `email_undo` (`user_id`,`depth`);--> statement-breakpoint
CREATE INDEX `email_undo_expires_at_index` ON `email_undo` (`expires_at`);