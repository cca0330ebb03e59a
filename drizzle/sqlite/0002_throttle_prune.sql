DROP INDEX `auth_throttle_sent_at_1_index`;--> statement-breakpoint
CREATE INDEX `auth_throttle_prune_index` ON `auth_throttle` (`failed_at`,`sent_at_1`);