CREATE TABLE `delivery_figure` (
	`since` integer NOT NULL,
	`host` text NOT NULL,
	`fact` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`since`, `host`, `fact`)
);
