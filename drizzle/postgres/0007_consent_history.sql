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
-- The consents so far. Their ids are UUIDs of version 7, like all others. This comes before the
-- references, which lock "user" until the end of the migration: instances of the earlier version
-- continue to write meanwhile. The rows that are read must not be purged before the references exist.
INSERT INTO "consent_record" ("id", "user_id", "purpose", "action", "at", "source", "email")
SELECT
	overlay(overlay(replace(gen_random_uuid()::text, '-', '')
		placing lpad(to_hex((extract(epoch from "at") * 1000)::bigint), 12, '0') from 1) placing '7' from 13)::uuid,
	"user_id", 'marketing', 'granted', "at", 'import', "email"
FROM (
	SELECT d."user_id", u."email", coalesce(d."marketing_opt_in_at", now()) AS "at"
	FROM "user_data" d JOIN "user" u ON u."id" = d."user_id"
	WHERE d."marketing_opt_in"
	FOR KEY SHARE OF u
) "given";
--> statement-breakpoint
CREATE INDEX "consent_record_user_index" ON "consent_record" USING btree ("user_id","at");
--> statement-breakpoint
CREATE INDEX "unsubscribe_link_user_id_index" ON "unsubscribe_link" USING btree ("user_id");
--> statement-breakpoint
ALTER TABLE "consent_record" ADD CONSTRAINT "consent_record_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "unsubscribe_link" ADD CONSTRAINT "unsubscribe_link_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;
