CREATE TABLE `orders` (
	`id` integer PRIMARY KEY NOT NULL,
	`item` text NOT NULL
);
