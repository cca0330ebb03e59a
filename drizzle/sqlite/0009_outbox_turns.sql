CREATE INDEX `session_device_index` ON `session` (`device_id`);--> statement-breakpoint
DROP INDEX `email_outbox_due_index`;--> statement-breakpoint
DROP INDEX `email_outbox_queue_index`;--> statement-breakpoint
DROP INDEX `email_outbox_turn_index`;--> statement-breakpoint
CREATE INDEX `email_outbox_due_index` ON `email_outbox` (`lane`,`due_at`) WHERE "email_outbox"."attempts" > 0;--> statement-breakpoint
CREATE INDEX `email_outbox_queue_index` ON `email_outbox` (`lane`,`queue`,`turn`) WHERE "email_outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX `email_outbox_turn_index` ON `email_outbox` (`lane`,`turn`) WHERE "email_outbox"."attempts" = 0;