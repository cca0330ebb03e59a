CREATE TABLE `email_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`lane` text NOT NULL,
	`queue` text NOT NULL,
	`kind` text NOT NULL,
	`content` text NOT NULL,
	`queued_at` integer NOT NULL,
	`due_at` integer,
	`expires_at` integer,
	`turn` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`failed_at` integer,
	`failure` text
);
--> statement-breakpoint
CREATE INDEX `email_outbox_due_index` ON `email_outbox` (`lane`,`due_at`);--> statement-breakpoint
CREATE INDEX `email_outbox_queue_index` ON `email_outbox` (`lane`,`queue`,`turn`);--> statement-breakpoint
CREATE INDEX `email_outbox_turn_index` ON `email_outbox` (`lane`,`turn`);--> statement-breakpoint
CREATE INDEX `email_outbox_failed_index` ON `email_outbox` (`failed_at`);