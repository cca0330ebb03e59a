ALTER TABLE "device" ADD COLUMN "is_known" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "email" text;