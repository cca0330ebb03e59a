ALTER TABLE `device` ADD `is_known` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `device` ADD `email` text;