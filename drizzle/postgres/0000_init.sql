CREATE TABLE "user" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_verified" boolean NOT NULL,
	"name" text DEFAULT '' NOT NULL,
	"image" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone,
	"blocked_at" timestamp (3) with time zone,
	"role" text,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "account" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"provider_id" text NOT NULL,
	"account_id" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "account_provider_unique" UNIQUE("provider_id","account_id")
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"ip_address" text NOT NULL,
	"user_agent" text NOT NULL,
	"device_id" uuid,
	CONSTRAINT "session_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"is_known" boolean DEFAULT true NOT NULL,
	"email" text,
	"user_agent" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" uuid PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"binding" text NOT NULL,
	"session_id" uuid,
	"hash" text NOT NULL,
	"attempts" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"bounced_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "email_undo" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"email" text NOT NULL,
	"depth" integer NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_data" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"marketing_opt_in" boolean DEFAULT false NOT NULL,
	"marketing_opt_in_at" timestamp (3) with time zone,
	"is_trial_eligible" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "consent_record" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"purpose" text NOT NULL,
	"action" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"place" text,
	"wording" text,
	"wording_version" text,
	"email" text
);
--> statement-breakpoint
CREATE TABLE "unsubscribe_link" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid,
	"kind" text NOT NULL,
	"actor" text NOT NULL,
	"actor_id" uuid,
	"at" timestamp (3) with time zone NOT NULL,
	"request_id" text,
	"ip_address" text,
	"user_agent" text,
	"count" integer DEFAULT 1 NOT NULL,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "auth_throttle" (
	"key" text PRIMARY KEY NOT NULL,
	"sent_at_1" timestamp (3) with time zone,
	"sent_at_2" timestamp (3) with time zone,
	"sent_at_3" timestamp (3) with time zone,
	"sent_at_4" timestamp (3) with time zone,
	"sent_at_5" timestamp (3) with time zone,
	"wrong_codes" integer DEFAULT 0 NOT NULL,
	"wrong_code_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "site_count" (
	"key" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "site_count_key_since_pk" PRIMARY KEY("key","since")
);
--> statement-breakpoint
CREATE TABLE "spent_proof" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"lane" text NOT NULL,
	"fairness_key" text NOT NULL,
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
CREATE TABLE "oidc_client" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text,
	"is_native" boolean NOT NULL,
	"algorithm" text NOT NULL,
	"redirect_uris" text NOT NULL,
	"after_logout_uris" text NOT NULL,
	"logout_uri" text,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_key" (
	"id" uuid PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"signs_from" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_grant" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"client_id" uuid NOT NULL,
	"session_id" uuid,
	"signed_in_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "oidc_record" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"content" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"consumed_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "task_run" (
	"task" text NOT NULL,
	"day" text NOT NULL,
	CONSTRAINT "task_run_pk" PRIMARY KEY("task","day")
);
--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "device" ADD CONSTRAINT "device_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verification" ADD CONSTRAINT "verification_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_undo" ADD CONSTRAINT "email_undo_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_data" ADD CONSTRAINT "user_data_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent_record" ADD CONSTRAINT "consent_record_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unsubscribe_link" ADD CONSTRAINT "unsubscribe_link_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "event" ADD CONSTRAINT "event_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "purchase" ADD CONSTRAINT "purchase_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_grant" ADD CONSTRAINT "oidc_grant_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_grant" ADD CONSTRAINT "oidc_grant_client_id_oidc_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."oidc_client"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_grant" ADD CONSTRAINT "oidc_grant_session_id_session_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."session"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "oidc_record" ADD CONSTRAINT "oidc_record_grant_id_oidc_grant_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."oidc_grant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "user_deleted_at_index" ON "user" USING btree ("deleted_at") WHERE "user"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "account_user_id_index" ON "account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_user_id_index" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_expires_at_index" ON "session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "session_device_index" ON "session" USING btree ("device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "device_key_unique" ON "device" USING btree ("key_hash","user_id");--> statement-breakpoint
CREATE INDEX "device_user_index" ON "device" USING btree ("user_id","used_at");--> statement-breakpoint
CREATE INDEX "device_used_at_index" ON "device" USING btree ("used_at");--> statement-breakpoint
CREATE UNIQUE INDEX "verification_bound_unique" ON "verification" USING btree ("purpose","email","binding");--> statement-breakpoint
CREATE INDEX "verification_binding_index" ON "verification" USING btree ("binding","purpose","created_at");--> statement-breakpoint
CREATE INDEX "verification_expires_at_index" ON "verification" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "verification_session_id_index" ON "verification" USING btree ("session_id") WHERE "verification"."session_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "email_undo_email_unique" ON "email_undo" USING btree ("email");--> statement-breakpoint
CREATE INDEX "email_undo_user_index" ON "email_undo" USING btree ("user_id","depth");--> statement-breakpoint
CREATE INDEX "email_undo_expires_at_index" ON "email_undo" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "consent_record_user_index" ON "consent_record" USING btree ("user_id","at");--> statement-breakpoint
CREATE INDEX "unsubscribe_link_user_id_index" ON "unsubscribe_link" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "event_user_index" ON "event" USING btree ("user_id","at","id");--> statement-breakpoint
CREATE INDEX "event_at_index" ON "event" USING btree ("at");--> statement-breakpoint
CREATE INDEX "event_actor_index" ON "event" USING btree ("actor_id") WHERE "event"."actor_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "event_hour_unique" ON "event" USING btree ("user_id","kind","at") WHERE "event"."kind" in ('code_sent', 'code_refused');--> statement-breakpoint
CREATE INDEX "auth_throttle_prune_index" ON "auth_throttle" USING btree ("wrong_code_at","sent_at_1");--> statement-breakpoint
CREATE INDEX "site_count_since_index" ON "site_count" USING btree ("since");--> statement-breakpoint
CREATE INDEX "spent_proof_expires_at_index" ON "spent_proof" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "email_outbox_due_index" ON "email_outbox" USING btree ("lane","due_at") WHERE "email_outbox"."attempts" > 0;--> statement-breakpoint
CREATE INDEX "email_outbox_fairness_index" ON "email_outbox" USING btree ("lane","fairness_key","turn") WHERE "email_outbox"."failed_at" is null;--> statement-breakpoint
CREATE INDEX "email_outbox_turn_index" ON "email_outbox" USING btree ("lane","turn") WHERE "email_outbox"."attempts" = 0;--> statement-breakpoint
CREATE INDEX "email_outbox_failed_index" ON "email_outbox" USING btree ("failed_at");--> statement-breakpoint
CREATE INDEX "purchase_email_index" ON "purchase" USING btree ("email");--> statement-breakpoint
CREATE INDEX "purchase_user_id_index" ON "purchase" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "oidc_grant_session_unique" ON "oidc_grant" USING btree ("session_id","client_id");--> statement-breakpoint
CREATE INDEX "oidc_grant_user_index" ON "oidc_grant" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "oidc_grant_client_index" ON "oidc_grant" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "oidc_grant_ended_index" ON "oidc_grant" USING btree ("due_at") WHERE "oidc_grant"."session_id" is null;--> statement-breakpoint
CREATE INDEX "oidc_record_grant_index" ON "oidc_record" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "oidc_record_expires_at_index" ON "oidc_record" USING btree ("expires_at");--> statement-breakpoint
-- Everything below is written by hand: drizzle-kit knows no triggers. They tell every instance which
-- cached sessions and accounts changed, also when somebody changes a row with psql.
create function announce_ended_sessions() returns trigger language plpgsql as $$
begin
	-- No instance uses an expired session, and the daily task deletes thousands of them at once.
	perform pg_notify('postern_changes', 'session ' || id) from gone where expires_at > now();
	return null;
end $$;--> statement-breakpoint
create trigger announce_ended_sessions after delete on "session"
	referencing old table as gone for each statement execute function announce_ended_sessions();--> statement-breakpoint
create function announce_changed_account() returns trigger language plpgsql as $$
begin
	perform pg_notify('postern_changes', 'account ' || new.id);
	return null;
end $$;--> statement-breakpoint
create trigger announce_changed_account after update on "user" for each row
	when (old.* is distinct from new.*) execute function announce_changed_account();
