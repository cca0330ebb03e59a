CREATE TABLE "delivery_figure" (
	"since" timestamp (3) with time zone NOT NULL,
	"host" text NOT NULL,
	"fact" text NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "delivery_figure_since_host_fact_pk" PRIMARY KEY("since","host","fact")
);
