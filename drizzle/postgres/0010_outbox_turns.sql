-- The version that still runs locks verification, session and email_outbox in this order. All pending
-- migrations are one transaction, and a later one alters verification.
LOCK TABLE "verification" IN ACCESS EXCLUSIVE MODE;--> statement-breakpoint
CREATE INDEX "session_device_index" ON "session" USING btree ("device_id");--> statement-breakpoint
DROP INDEX "email_outbox_due_index";--> statement-breakpoint
DROP INDEX "email_outbox_queue_index";--> statement-breakpoint
DROP INDEX "email_outbox_turn_index";--> statement-breakpoint
CREATE INDEX "email_outbox_due_index" ON "email_outbox" USING btree ("lane","due_at") WHERE "email_outbox"."attempts" > 0;--> statement-breakpoint
CREATE INDEX "email_outbox_queue_index" ON "email_outbox" USING btree ("lane","queue","turn") WHERE "email_outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "email_outbox_turn_index" ON "email_outbox" USING btree ("lane","turn") WHERE "email_outbox"."attempts" = 0;