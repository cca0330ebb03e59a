CREATE TABLE "email_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lane" text NOT NULL,
	"queue" text NOT NULL,
	"kind" text NOT NULL,
	"content" text NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"turn" integer NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"failed_at" timestamp (3) with time zone,
	"failure" text
);
--> statement-breakpoint
CREATE INDEX "email_outbox_due_index" ON "email_outbox" USING btree ("lane","due_at");--> statement-breakpoint
CREATE INDEX "email_outbox_queue_index" ON "email_outbox" USING btree ("lane","queue","turn");--> statement-breakpoint
CREATE INDEX "email_outbox_turn_index" ON "email_outbox" USING btree ("lane","turn");--> statement-breakpoint
CREATE INDEX "email_outbox_failed_index" ON "email_outbox" USING btree ("failed_at");