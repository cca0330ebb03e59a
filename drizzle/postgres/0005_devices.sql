CREATE TABLE "device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "session" ADD COLUMN "device_id" uuid;--> statement-breakpoint
ALTER TABLE "device" ADD CONSTRAINT "device_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "device_key_unique" ON "device" USING btree ("key_hash","user_id");--> statement-breakpoint
CREATE INDEX "device_user_index" ON "device" USING btree ("user_id","used_at");--> statement-breakpoint
CREATE INDEX "device_used_at_index" ON "device" USING btree ("used_at");