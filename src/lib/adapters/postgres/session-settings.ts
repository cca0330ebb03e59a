/** Settings of every connection. They override the defaults of server, database and role. */
export const sessionSettings = {
	application_name: 'postern',
	// Guarded statements must see rows that were committed before them. Under a stricter level, the
	// losers of a race would get an error instead of no rows.
	default_transaction_isolation: 'read committed',
	DateStyle: 'ISO',
	TimeZone: 'UTC'
} as const;
