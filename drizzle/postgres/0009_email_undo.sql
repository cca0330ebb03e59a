CREATE TABLE "email_undo" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"depth" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "email_undo" ADD CONSTRAINT "email_undo_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "email_undo_email_unique" ON "email_undo" USING btree ("email");--> statement-breakpoint
CREATE INDEX "email_undo_user_index" ON "email_undo" USING btree ("user_id","depth");--> statement-breakpoint
CREATE INDEX "email_undo_expires_at_index" ON "email_undo" USING btree ("expires_at");