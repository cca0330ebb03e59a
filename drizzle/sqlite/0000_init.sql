CREATE TABLE `user` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_verified` integer NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`image` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer,
	`blocked_at` integer,
	`role` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_email_unique` ON `user` (`email`);--> statement-breakpoint
CREATE INDEX `user_deleted_at_index` ON `user` (`deleted_at`) WHERE "user"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`provider_id` text NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `account_user_id_index` ON `account` (`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_provider_unique` ON `account` (`provider_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `session` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`ip_address` text NOT NULL,
	`user_agent` text NOT NULL,
	`device_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `session_token_hash_unique` ON `session` (`token_hash`);--> statement-breakpoint
CREATE INDEX `session_user_id_index` ON `session` (`user_id`);--> statement-breakpoint
CREATE INDEX `session_expires_at_index` ON `session` (`expires_at`);--> statement-breakpoint
CREATE INDEX `session_device_index` ON `session` (`device_id`);--> statement-breakpoint
CREATE TABLE `device` (
	`id` text PRIMARY KEY NOT NULL,
	`key_hash` text NOT NULL,
	`user_id` text NOT NULL,
	`is_known` integer DEFAULT true NOT NULL,
	`email` text,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_key_unique` ON `device` (`key_hash`,`user_id`);--> statement-breakpoint
CREATE INDEX `device_user_index` ON `device` (`user_id`,`used_at`);--> statement-breakpoint
CREATE INDEX `device_used_at_index` ON `device` (`used_at`);--> statement-breakpoint
CREATE TABLE `verification` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`email` text NOT NULL,
	`binding` text NOT NULL,
	`session_id` text,
	`hash` text NOT NULL,
	`attempts` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`bounced_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `verification_bound_unique` ON `verification` (`purpose`,`email`,`binding`);--> statement-breakpoint
CREATE INDEX `verification_binding_index` ON `verification` (`binding`,`purpose`,`created_at`);--> statement-breakpoint
CREATE INDEX `verification_expires_at_index` ON `verification` (`expires_at`);--> statement-breakpoint
CREATE INDEX `verification_session_id_index` ON `verification` (`session_id`) WHERE "verification"."session_id" is not null;--> statement-breakpoint
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
CREATE INDEX `email_undo_expires_at_index` ON `email_undo` (`expires_at`);--> statement-breakpoint
CREATE TABLE `user_data` (
	`user_id` text PRIMARY KEY NOT NULL,
	`marketing_opt_in` integer DEFAULT false NOT NULL,
	`marketing_opt_in_at` integer,
	`is_trial_eligible` integer DEFAULT true NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
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
CREATE TABLE `event` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`kind` text NOT NULL,
	`actor` text NOT NULL,
	`actor_id` text,
	`at` integer NOT NULL,
	`request_id` text,
	`ip_address` text,
	`user_agent` text,
	`count` integer DEFAULT 1 NOT NULL,
	`detail` text,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `event_user_index` ON `event` (`user_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `event_at_index` ON `event` (`at`);--> statement-breakpoint
CREATE INDEX `event_actor_index` ON `event` (`actor_id`) WHERE "event"."actor_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `event_hour_unique` ON `event` (`user_id`,`kind`,`at`) WHERE "event"."kind" in ('code_sent', 'code_refused');--> statement-breakpoint
CREATE TABLE `auth_throttle` (
	`key` text PRIMARY KEY NOT NULL,
	`sent_at_1` integer,
	`sent_at_2` integer,
	`sent_at_3` integer,
	`sent_at_4` integer,
	`sent_at_5` integer,
	`wrong_codes` integer DEFAULT 0 NOT NULL,
	`wrong_code_at` integer
);
--> statement-breakpoint
CREATE INDEX `auth_throttle_prune_index` ON `auth_throttle` (`wrong_code_at`,`sent_at_1`);--> statement-breakpoint
CREATE TABLE `site_count` (
	`key` text NOT NULL,
	`since` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`key`, `since`)
);
--> statement-breakpoint
CREATE INDEX `site_count_since_index` ON `site_count` (`since`);--> statement-breakpoint
CREATE TABLE `spent_proof` (
	`id` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `spent_proof_expires_at_index` ON `spent_proof` (`expires_at`);--> statement-breakpoint
CREATE TABLE `email_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`lane` text NOT NULL,
	`fairness_key` text NOT NULL,
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
CREATE INDEX `email_outbox_due_index` ON `email_outbox` (`lane`,`due_at`) WHERE "email_outbox"."attempts" > 0;--> statement-breakpoint
CREATE INDEX `email_outbox_fairness_index` ON `email_outbox` (`lane`,`fairness_key`,`turn`) WHERE "email_outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX `email_outbox_turn_index` ON `email_outbox` (`lane`,`turn`) WHERE "email_outbox"."attempts" = 0;--> statement-breakpoint
CREATE INDEX `email_outbox_failed_index` ON `email_outbox` (`failed_at`);--> statement-breakpoint
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
CREATE TABLE `oidc_client` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text,
	`is_native` integer NOT NULL,
	`algorithm` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`after_logout_uris` text NOT NULL,
	`logout_uri` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oidc_key` (
	`id` text PRIMARY KEY NOT NULL,
	`content` text NOT NULL,
	`signs_from` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `oidc_grant` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`client_id` text NOT NULL,
	`session_id` text,
	`signed_in_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `user`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`client_id`) REFERENCES `oidc_client`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`session_id`) REFERENCES `session`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oidc_grant_session_unique` ON `oidc_grant` (`session_id`,`client_id`);--> statement-breakpoint
CREATE INDEX `oidc_grant_user_index` ON `oidc_grant` (`user_id`);--> statement-breakpoint
CREATE INDEX `oidc_grant_client_index` ON `oidc_grant` (`client_id`);--> statement-breakpoint
CREATE INDEX `oidc_grant_ended_index` ON `oidc_grant` (`due_at`) WHERE "oidc_grant"."session_id" is null;--> statement-breakpoint
CREATE TABLE `oidc_record` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`content` text NOT NULL,
	`expires_at` integer NOT NULL,
	`consumed_at` integer,
	FOREIGN KEY (`grant_id`) REFERENCES `oidc_grant`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `oidc_record_grant_index` ON `oidc_record` (`grant_id`);--> statement-breakpoint
CREATE INDEX `oidc_record_expires_at_index` ON `oidc_record` (`expires_at`);--> statement-breakpoint
CREATE TABLE `task_run` (
	`task` text NOT NULL,
	`day` text NOT NULL,
	PRIMARY KEY(`task`, `day`)
);
