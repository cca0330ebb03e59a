CREATE TABLE `purchase` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`user_id` text,
	`reference` text NOT NULL,
	`product` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `purchase_reference_unique` ON `purchase` (`reference`);--> statement-breakpoint
CREATE INDEX `purchase_email_index` ON `purchase` (`email`);--> statement-breakpoint
CREATE INDEX `purchase_user_id_index` ON `purchase` (`user_id`);--> statement-breakpoint
CREATE TABLE `task_run` (
	`task` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY(`task`, `day`)
);
--> statement-breakpoint
CREATE INDEX `user_deleted_at_index` ON `user` (`deleted_at`) WHERE "user"."deleted_at" is not null;