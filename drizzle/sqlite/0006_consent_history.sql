CREATE TABLE `consent_record` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`purpose` text NOT NULL,
	`action` text NOT NULL,
	`at` integer NOT NULL,
	`source` text NOT NULL,
	`place` text,
	`wording` text,
	`wording_version` text,
	`email` text,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `consent_record_user_index` ON `consent_record` (`user_id`,`at`);--> statement-breakpoint
CREATE TABLE `unsubscribe_link` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `unsubscribe_link_user_id_index` ON `unsubscribe_link` (`user_id`);--> statement-breakpoint
-- The consents so far. Their ids are UUIDs of version 7, like all others.
INSERT INTO `consent_record` (`id`, `user_id`, `purpose`, `action`, `at`, `source`, `email`)
SELECT
	substr(printf('%012x', `at`), 1, 8) || '-' || substr(printf('%012x', `at`), 9) || '-7' || substr(lower(hex(randomblob(2))), 1, 3)
		|| '-' || substr('89ab', 1 + abs(random() % 4), 1) || substr(lower(hex(randomblob(2))), 1, 3) || '-' || lower(hex(randomblob(6))),
	`user_id`, 'marketing', 'granted', `at`, 'import', `email`
FROM (
	SELECT d.`user_id`, u.`email`, coalesce(d.`marketing_opt_in_at`, cast(unixepoch('subsec') * 1000 AS integer)) AS `at`
	FROM `user_data` d JOIN `user` u ON u.`id` = d.`user_id`
	WHERE d.`marketing_opt_in`
);
