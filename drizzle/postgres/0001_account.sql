CREATE TABLE "purchase" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"user_id" uuid,
	"reference" text NOT NULL,
	"product" text NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "purchase_reference_unique" UNIQUE("reference")
);
--> statement-breakpoint
CREATE TABLE "task_run" (
	"task" text NOT NULL,
	"day" text NOT NULL,
	CONSTRAINT "task_run_pk" PRIMARY KEY("task","day")
);
--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "purchase_email_index" ON "purchase" USING btree ("email");--> statement-breakpoint
CREATE INDEX "purchase_user_id_index" ON "purchase" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "user_deleted_at_index" ON "user" USING btree ("deleted_at") WHERE "user"."deleted_at" is not null;