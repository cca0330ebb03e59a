/** What every connection needs, whatever the defaults of the server, database or role are. */
export const sessionSettings = {
	application_name: 'postern',
	// The guarded statements count on seeing what was committed before them. Under anything
	// stricter the losers of a race fail instead of losing.
	default_transaction_isolation: 'read committed',
	DateStyle: 'ISO',
	TimeZone: 'UTC'
} as const;
